/** The list of keyboard shortcuts. `keys.js` handles those of every page, and the script of a page its own. */

/** `scripts`: those of the page. */
export const KeysDialog = ({ scripts }: { scripts: readonly string[] }) => (
  <dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keyboard shortcuts</h2>
    <dl class="key-list">
      {[...scripts.flatMap(script => keys_of.get(script) ?? []), ...every_page].map(([keys, does]) => (
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

/** Shown only where scripts run, the shortcuts are on, and there may be a keyboard. */
export const KeysButton = () => (
  <button type="button" class="item scripted" data-keys="open" aria-keyshortcuts="?">
    Keyboard shortcuts <kbd>?</kbd>
  </button>
)

type Key = [keys: string[], does: string]

const player_keys: Key[] = [
  [['Space', 'K'], 'Play or pause'],
  [['J', 'L'], 'Back or forward 10 seconds'],
  [['Left', 'Right'], 'Back or forward 5 seconds'],
  [['0', '9'], 'Jump to 0–90%'],
  [['F'], 'Full screen'],
  [['T'], 'Theatre'],
  [['I'], 'Picture in picture'],
  [['M'], 'Mute or unmute'],
  [['Up', 'Down'], 'Louder or quieter, in full screen'],
  [['<', '>'], 'Slower or faster'],
  [['C'], 'Subtitles on or off'],
  [['S'], 'Mark as watched or unwatched'],
  [['N', 'P'], 'Next or previous video'],
]

const list_keys: Key[] = [
  [['J', 'K'], 'Next or previous video'],
  [['Arrow keys'], 'Move between videos'],
  [['O', 'Enter'], 'Open'],
  [['D'], 'Download'],
  [['W'], 'Mark as watched or unwatched'],
  [['L'], 'Watch later'],
  [['X'], 'Not for me'],
  [['Space'], 'Select, while you are selecting'],
  [['Esc'], 'Leave the selection or the list'],
]

const every_page: Key[] = [
  [['/'], 'Search'],
  [['U'], 'Undo'],
  [['?'], 'Show this list'],
]

const keys_of = new Map([
  ['player-keys.js', player_keys],
  ['list-keys.js', list_keys],
])
