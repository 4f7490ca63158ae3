const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const valueOf = new Map(Array.from(base62, (character, value) => [character, value]))
/** As many as a double holds exactly: 47 random bits, so that collisions among a million keys are very unlikely. */
const comparedChars = 8
const firstCapacity = 1_024

/** The beginning of a key's random part as a number. */
function numberOf(key: string): number {
  const start = key.indexOf('/') + 1
  let number = 0
  for (let at = start; at < start + comparedChars; at += 1)
    number = number * base62.length + (valueOf.get(key[at] ?? '') ?? 0)
  return number
}

/** A set of keys that needs 8 bytes per key instead of about 100 for strings: a store may have millions. */
export interface CompactKeySet {
  readonly count: number
  add(key: string): void
  /** Whether a key was added. False positives are very unlikely, see `comparedChars`. */
  has(key: string): boolean
  /** How many different keys were added. */
  distinct(): number
}

/** Keys are sorted lazily at the first lookup, so add all keys first. */
export function createCompactKeySet(): CompactKeySet {
  let numbers = new Float64Array(firstCapacity)
  let count = 0
  let isSorted = true
  const sort = (): void => {
    if (!isSorted) numbers.subarray(0, count).sort()
    isSorted = true
  }
  return {
    get count() {
      return count
    },
    add(key) {
      if (count === numbers.length) {
        const larger = new Float64Array(2 * count)
        larger.set(numbers)
        numbers = larger
      }
      numbers[count] = numberOf(key)
      count += 1
      isSorted = false
    },
    has(key) {
      sort()
      const sought = numberOf(key)
      let [low, high] = [0, count]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((numbers[middle] ?? 0) < sought) low = middle + 1
        else high = middle
      }
      return low < count && numbers[low] === sought
    },
    distinct() {
      sort()
      let found = 0
      for (let at = 0; at < count; at += 1) if (at === 0 || numbers[at] !== numbers[at - 1]) found += 1
      return found
    },
  }
}
