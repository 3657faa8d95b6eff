/** The list of keyboard shortcuts. `player.js` handles the keys. */

export const KeysDialog = () => (
  <dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keyboard shortcuts</h2>
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

/** Shown only where scripts run. */
export const KeysButton = () => (
  <button type="button" class="item scripted" data-keys="open" aria-keyshortcuts="?">
    Keyboard shortcuts
  </button>
)

const keys: [key: string[], does: string][] = [
  [['Space', 'K'], 'Play or pause'],
  [['J', 'L'], 'Back or forward 10 seconds'],
  [['←', '→'], 'Back or forward 5 seconds'],
  [['0', '9'], 'Jump to 0–90%'],
  [['F'], 'Full screen'],
  [['M'], 'Mute or unmute'],
  [['C'], 'Subtitles on or off'],
  [['S'], 'Mark as watched or unwatched'],
  [['N', 'P'], 'Newer or older video'],
  [['/'], 'Search'],
  [['?'], 'Show this list'],
]
