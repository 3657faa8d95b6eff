/** Names a browser by its User-Agent: "Firefox on Linux". Pure. A hint for people; browsers can claim anything. */

/** `null`: neither the browser nor the system is known. */
export function deviceOf(user_agent: string | undefined): string | null {
  if (!user_agent) return null
  const named = (known: [string, RegExp][]) => known.find(([, says]) => says.test(user_agent))?.[0]
  const browser = named(browsers)
  const system = named(systems)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? null
}

/** The order matters: most browsers also name those further down. */
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
