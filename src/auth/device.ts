/** What a browser calls itself, in a few words: "Firefox on Linux". Pure; a hint for people, never proof of anything. */

/** `null`: it said nothing we know. */
export function deviceOf(user_agent: string | undefined): string | null {
  if (!user_agent) return null
  const named = (known: [string, RegExp][]) => known.find(([, says]) => says.test(user_agent))?.[0]
  const browser = named(browsers)
  const system = named(systems)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? null
}

/** In this order, because most of them also say that they are the ones below. */
const browsers: [string, RegExp][] = [
  ['Edge', /\bEdgA?(?:iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
  ['curl', /^curl\//],
]
const systems: [string, RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]
