/** Numbers and times as commands tell them to an operator. */

/** "1 photo", "2 photos". */
export const plural = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`

export const sizeText = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`

export const timeText = (time: Date | string): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
