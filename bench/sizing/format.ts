const thousand = 1000

/** A number with two significant digits or more, and thousands separated by commas. */
export function plain(value: number): string {
  if (value === 0) return '0'
  const digits = 2
  const rounded = Number(value.toPrecision(digits))
  return Math.abs(rounded) >= thousand ? rounded.toLocaleString('en-US') : String(rounded)
}

export const milliseconds = (value: number): string =>
  value >= 10 * thousand ? `${plain(value / thousand)} s` : `${Math.round(value)} ms`

/** Bytes in the largest decimal unit. */
export function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
  const exponent = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3))
  return `${plain(value / thousand ** exponent)} ${units[exponent]}`
}

/** Bits per second in the largest decimal unit. */
export function bitRate(value: number): string {
  return value >= 1e9 ? `${plain(value / 1e9)} Gbit/s` : `${plain(value / 1e6)} Mbit/s`
}

export const percent = (share: number): string => (share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`)

export const dollars = (value: number): string => `$${value >= thousand ? plain(value) : value.toFixed(2)}`

export const cents = (value: number): string => `${value < 0.1 ? value.toFixed(3) : value.toFixed(2)} ¢`

/** A Markdown table. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
