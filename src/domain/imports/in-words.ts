/** Numbers of files and bytes, as the report of an import says them. Pure. */

export const filesInWords = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`)

export function bytesInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const [unit = 'kB', size = 1e3] = units.find(([, size]) => bytes >= size) ?? []
  return `${(bytes / size).toFixed(1)} ${unit}`
}

const units: [string, number][] = [
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
]
