/** The keys that the player knows, as a list; `player.js` is where they do something. */

export const KeysDialog = () => (
  <dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <dl class="key-list">
      {keys.map(([key, does]) => (
        <div>
          <dt>
            {key.map(name => (
              <kbd>{name}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <button type="button" class="button plain" data-keys="close">
      Close
    </button>
  </dialog>
)

/** Shown only where scripts run: the keys need one. */
export const KeysButton = () => (
  <button type="button" class="button plain scripted" data-keys="open" aria-keyshortcuts="?">
    Keys
  </button>
)

const keys: [key: string[], does: string][] = [
  [['Space', 'K'], 'Play or pause'],
  [['J', 'L'], 'Back or on by 10 seconds'],
  [['←', '→'], 'Back or on by 5 seconds'],
  [['0', '9'], 'To the start, to nine tenths, and what lies between'],
  [['F'], 'Full screen'],
  [['M'], 'Sound off or on'],
  [['C'], 'Subtitles on or off'],
  [['S'], 'Mark as seen or not seen'],
  [['N', 'P'], 'Newer or older in the channel'],
  [['/'], 'Search'],
  [['?'], 'This list'],
]
