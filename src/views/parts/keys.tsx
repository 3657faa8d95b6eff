/** The list of keyboard shortcuts. `player.js` and `list-keys.js` handle the keys. */

export const KeysDialog = ({ of = 'player' }: { of?: keyof typeof keys_of }) => (
  <dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keyboard shortcuts</h2>
    <dl class="key-list">
      {keys_of[of].map(([keys, does]) => (
        <div>
          <dt>
            {keys.map(name => (
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

/** Shown only where scripts run and the shortcuts are on. */
export const KeysButton = () => (
  <button type="button" class="item scripted" data-keys="open" aria-keyshortcuts="?">
    Keyboard shortcuts
  </button>
)

type Key = [keys: string[], does: string]

const player_keys: Key[] = [
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

const list_keys: Key[] = [
  [['J', 'K'], 'Next or previous video'],
  [['↑', '↓', '←', '→'], 'Move between videos'],
  [['O', 'Enter'], 'Open'],
  [['D'], 'Download'],
  [['W'], 'Mark as watched or unwatched'],
  [['L'], 'Watch later'],
  [['X'], 'Not for me'],
  [['/'], 'Search'],
  [['?'], 'Show this list'],
  [['Esc'], 'Leave the list'],
]

const keys_of = { player: player_keys, list: list_keys }
