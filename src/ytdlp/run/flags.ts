/** Which version of yt-dlp knows which flag. yt-dlp exits at an unknown flag, so a flag is passed only to versions that know it. */

/** The release that introduced each flag. */
const since = {
  '--progress-delta': '2024.07.01',
  '--no-plugin-dirs': '2025.01.26',
  '--js-runtimes': '2025.11.12',
  '--remote-components': '2025.11.12',
} as const
export type Flag = keyof typeof since

export const knows = (version: string, flag: Flag): boolean => isAtLeast(version, since[flag])

/** Versions are dates with an optional build number: 2026.08.19, 2026.08.19.232815, `2026.10.26-1`. */
export function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [versionNumbers(version), versionNumbers(least)]
  const at = b.findIndex((number, n) => (a[n] ?? 0) !== number)
  return at === -1 || (a[at] ?? 0) > (b[at] ?? 0)
}

export const versionNumbers = (version: string): number[] => version.split(/[.-]/).map(Number)
