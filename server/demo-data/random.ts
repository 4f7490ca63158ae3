/** Reproducible random numbers. */
export interface Random {
  /** From 0 to 1. */
  next(): number
  between(least: number, most: number): number
  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** The generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number => least + (most - least) * next()
  return {
    next,
    between,
    integer: (least, most) => Math.floor(between(least, most + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)]!, // `next` is less than 1
  }
}
