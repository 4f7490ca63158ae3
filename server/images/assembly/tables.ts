import { CODES, CODES_BYTES, EARLIES, EARLY, EARLY_BYTES, LEAP, LEAPS, LEAP_BYTES, TABLE } from './memory'

/** A leap beyond every block: the code at its start is too long for it, or none. */
const NO_LEAP: u32 = 255
/** Added to how far a leap goes that ends its block. */
export const BLOCK_ENDS: u32 = 128

/** Builds the look-ups of the Huffman table at TABLE (16 counts, symbols): slots 0 to 2 for DC, 3 to 5 for AC. */
export function table(slot: usize): void {
  const codes = CODES + slot * CODES_BYTES
  memory.fill(codes, 0, CODES_BYTES)
  let symbol = TABLE + 16
  let code: u32 = 0
  for (let length: u32 = 1; length <= 16; length++) {
    for (let left: u32 = load<u8>(TABLE + length - 1); left > 0; left--) {
      const next = min<u32>(code + (1 << (16 - length)), 1 << 16)
      const entry = (length << 8) | load<u8>(symbol++)
      for (; code < next; code++) store<u16>(codes + (code << 1), <u16>entry)
    }
  }
  if (slot < 3) return
  findLeaps(codes, LEAPS + (slot - 3) * LEAP_BYTES)
  findEarly(codes, EARLIES + (slot - 3) * EARLY_BYTES)
}

/**
 * For every beginning of coded data the coefficient there, when it is short: its bits, how far it is to it (eighth bit
 * on), and its value (sixteenth bit on). The end of a block is as far as no coefficient. 0 when it is not short.
 */
function findEarly(codes: usize, earlies: usize): void {
  for (let start: u32 = 0; start < 1 << EARLY; start++) {
    const ahead = (<u64>start) << (64 - EARLY)
    const entry: u32 = load<u16>(codes + ((<usize>(ahead >> 48)) << 1))
    const symbol = entry & 255
    const length = (entry >> 8) + (symbol & 15)
    const far = symbol == 0 ? 64 : (symbol >> 4) + 1
    const value = valueOf(ahead << (entry >> 8), symbol & 15)
    const isShort = entry != 0 && !isUnknown(symbol) && length <= EARLY
    store<u32>(earlies + (start << 2), isShort ? (value << 16) | (far << 8) | length : 0)
  }
}

/** For every beginning of coded data: how many coefficients it holds in full, with how many bits. */
function findLeaps(codes: usize, leaps: usize): void {
  for (let start: u32 = 0; start < 1 << LEAP; start++) {
    let used: u32 = 0
    let far: u32 = 0
    while (far < 63) {
      const entry: u32 = load<u16>(codes + (((start << (16 - LEAP + used)) & 0xffff) << 1))
      const symbol = entry & 255
      const length = (entry >> 8) + (symbol & 15)
      if (entry == 0 || isUnknown(symbol) || used + length > LEAP) break
      // No block is so long; further than this, a leap would look like one that ends a block.
      if (symbol != 0 && far + (symbol >> 4) + 1 > 63) break
      used += length
      far += symbol == 0 ? BLOCK_ENDS : (symbol >> 4) + 1
    }
    store<u32>(leaps + (start << 2), used == 0 ? NO_LEAP << 8 : (far << 8) | used)
  }
}

/** Without a value there are two symbols only: the end of the block, and sixteen zeros. */
export function isUnknown(symbol: u32): bool {
  return (symbol & 15) == 0 && symbol != 0 && symbol != 0xf0
}

/** A value from its bits (T.81 F.2.2.1), which are the highest `size` of `ahead`; none is 0. */
export function valueOf(ahead: u64, size: u32): i32 {
  // Two steps, since a shift by 64 would be one by nothing.
  const value = <i32>((ahead >> 1) >> (63 - size))
  return value < (1 << size) >> 1 ? value - (1 << size) + 1 : value
}
