/**
 * The controls beneath the player. On a phone the menu or the device has what is `roomy`. Scripts make them work; without one, the
 * browser's own controls do and the bar is not shown. A button names what it does in `data-act`, and a field what it sets in `data-sets`;
 * the modules of `static/player` have both by name.
 */
import { type SoundStream, soundWords } from '../../schema/sources/streams.ts'
import { languageWords, withoutPart } from '../../schema/sources/subtitles.ts'
import { durationWords, spokenDuration } from '../../schema/values/words.ts'
import type { Video } from '../../schema/videos/video.ts'
import { Options } from '../ui/forms.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { soundsWords } from './file-contents.tsx'

type Props = {
  video: Pick<Video, 'duration_seconds' | 'subtitles' | 'file'>
  at_seconds: number
  is_sound: boolean
  next: NextVideo | undefined
}
/** What the button Next leads to. */
export type NextVideo = { path: string; title: string }

export const PlayerBar = ({ video, at_seconds, is_sound, next }: Props) => (
  <section class="bar scripted" aria-label="Player">
    <Timeline length={video.duration_seconds} at_seconds={at_seconds} />
    <div class="controls">
      <button type="button" data-act="play" aria-label="Play" aria-keyshortcuts="k">
        <Icon name="play" />
        <Icon name="pause" />
      </button>
      {next && (
        <a class="roomy" rel="next" href={next.path} aria-label={`Next: ${next.title}`} title={`Next: ${next.title}`}>
          <Icon name="next" />
        </a>
      )}
      <span class="volume roomy">
        <Toggle act="mute" icon="sound" label="Mute" keys="m" />
        <input type="range" data-sets="volume" min="0" max="1" step="0.05" value="1" aria-label="Volume" />
      </span>
      <span class="time">
        {durationWords(at_seconds)} / {durationWords(video.duration_seconds ?? 0)}
      </span>
      {video.subtitles.length > 0 && <Toggle act="subtitles" icon="captions" label="Subtitles" keys="c" />}
      <More languages={video.subtitles} sounds={video.file?.sounds ?? []} is_sound={is_sound} />
      {!is_sound && <Toggle act="full" icon="full" label="Full screen" keys="f" />}
    </div>
  </section>
)

const Timeline = ({ length, at_seconds }: { length: number | null; at_seconds: number }) => (
  <div class="timeline">
    <input
      type="range"
      data-sets="time"
      min="0"
      max={length ?? 0}
      step="any"
      value={at_seconds}
      aria-label="Position"
      aria-valuetext={spokenDuration(at_seconds) || 'Start'}
    />
    <div class="marks" aria-hidden="true"></div>
    <output class="tip" aria-hidden="true"></output>
  </div>
)

type ToggleProps = { act: string; icon: IconName; label: string; keys: string }
const Toggle = ({ act, icon, label, keys }: ToggleProps) => (
  <button type="button" data-act={act} aria-label={label} title={label} aria-keyshortcuts={keys} aria-pressed="false">
    <Icon name={icon} />
  </button>
)

type MoreProps = { languages: string[]; sounds: SoundStream[]; is_sound: boolean }
const More = ({ languages, sounds, is_sound }: MoreProps) => (
  <details class="menu player-menu">
    <summary title="Player settings">
      <span class="spoken">Player settings, speed</span> <span data-shows="speed">1×</span>
      <Icon name="settings" />
    </summary>
    <div class="panel">
      <Choice sets="speed" label="Speed" options={speeds.map(speed => [String(speed), `${speed}×`])} chosen="1" />
      {sounds.length > 1 && <Sounds sounds={sounds} />}
      {languages.length > 0 && (
        <>
          <Choice
            sets="subtitles"
            label="Subtitles"
            options={[
              ['', 'Off'],
              ...languages.map(language => [languageTag(language), languageWords(language)] as const),
            ]}
          />
          <Choice sets="cues" label="Size of subtitles" options={sizes} chosen="medium" />
        </>
      )}
      <Item act="mute" label="Mute" on_phone />
      <Item act="autoplay" label="Play the next video" />
      <Item act="loop" label="Loop" />
      {!is_sound && <Item act="sound" label="Sound only" />}
      {!is_sound && <Item act="float" label="Picture in picture" keys="i" />}
      {!is_sound && <Item act="theatre" label="Theatre" keys="t" />}
      {/* `player/remote.js` shows it where a television is found. */}
      <Item act="remote" label="Play on a TV" hidden />
      <p class="quiet" data-shows="size" hidden></p>
    </div>
  </details>
)

/** Browsers play the first sound. `player/sounds.js` shows the choice in those that can play another. */
const Sounds = ({ sounds }: { sounds: SoundStream[] }) => (
  <>
    <p class="quiet" data-shows="sounds">
      {soundsWords(sounds)}
    </p>
    <Choice
      sets="sound"
      label="Sound"
      options={sounds.map((sound, nth) => [String(nth), soundWords(sound, nth)] as const)}
      hidden
    />
  </>
)

type ItemProps = { act: string; label: string; keys?: string; on_phone?: true; hidden?: true }
const Item = ({ act, label, keys, on_phone, hidden }: ItemProps) => (
  <button
    type="button"
    class={on_phone ? 'item on-phone' : 'item'}
    data-act={act}
    aria-keyshortcuts={keys}
    aria-pressed="false"
    hidden={hidden}
  >
    {label}
    <Icon name="check" />
  </button>
)

type ChoiceProps = {
  sets: string
  label: string
  options: (readonly [string, string])[]
  chosen?: string
  hidden?: boolean
}
const Choice = ({ sets, label, options, chosen, hidden = false }: ChoiceProps) => (
  <label class="choice" hidden={hidden}>
    {label}
    <select data-sets={sets} aria-label={label}>
      <Options of={options} chosen={chosen} />
    </select>
  </label>
)

/** The keys `<` and `>` choose the speed before or after the present one. */
const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3]
const sizes: [string, string][] = [
  ['small', 'Small'],
  ['medium', 'Medium'],
  ['large', 'Large'],
  ['huge', 'Very large'],
]

/** The language tag of a subtitle file, which may be written with `_`. */
export const languageTag = (language: string): string => withoutPart(language).replaceAll('_', '-')
