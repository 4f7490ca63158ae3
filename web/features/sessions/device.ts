const browsers: [pattern: RegExp, name: string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [pattern: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux|X11/, 'Linux'],
]
const nameIn = (agent: string, names: typeof browsers): string | null =>
  names.find(([pattern]) => pattern.test(agent))?.[1] ?? null

/** Names of a browser and its system, as well as what the browser says of itself tells them. */
export const deviceOf = (agent: string | null): { browser: string | null; system: string | null } => ({
  browser: nameIn(agent ?? '', browsers),
  system: nameIn(agent ?? '', systems),
})
