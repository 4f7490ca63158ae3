/** Where everything lies in the memory of `scaled.ts`, and what is kept there. */

/** Written by the caller: coded bytes, and Huffman tables as they stand in a DHT segment. */
export const INPUT: usize = 0
export const TABLE: usize = 0x29000

export const CLEAN: usize = 0x10000
export const CLEAN_BYTES: usize = 0x16000
const COMPONENTS: usize = 0x28000
const STATE: usize = 0x28400
export const CODES: usize = 0x30000
export const CODES_BYTES: usize = 2 << 16
export const LEAPS: usize = 0xf0000
/** Bits of a look-up that may pass several coefficients. */
export const LEAP: u32 = 13
export const LEAP_BYTES: usize = 4 << LEAP
/** Bits of a look-up that tells a coefficient. */
export const EARLY: u32 = 10
export const EARLY_BYTES: usize = 4 << EARLY
export const EARLIES: usize = 0x108000
export const COEFFICIENTS: usize = 0x10b000
export const PLANES: usize = 0x110000

/** A component of the picture, and how its blocks are coded. */
@unmanaged
export class Component {
  /** Look-ups. */
  dc: usize
  ac: usize
  leaps: usize
  early: usize
  /** Blocks in a unit. */
  h: u32
  v: u32
  /** Pixels that become of a block: 1, 2 or 4 across and down, of which no more than two differ. */
  across: u32
  down: u32
  /** What a step of a coefficient is worth: of the first, the one across, the one down, and the one of both. */
  step: i32
  stepAcross: i32
  stepDown: i32
  stepBoth: i32
  /** The first coefficient of the block before. */
  before: i32
  /** Its pixels, row by row; all planes are of the same size. */
  plane: usize
}

export function component(index: u32): Component {
  return changetype<Component>(COMPONENTS + ((<usize>index) << 6))
}

@unmanaged
class State {
  /** Bits not yet used, the next one highest; of them `count` have been counted as read, up to `at`. */
  bits: u64
  count: u32
  at: usize
  /** Where coded data without stuffed bytes ends. */
  cleanEnd: usize
  unitsAcross: u32
  /** The next unit, and the one before which a restart marker or the end is due. */
  unit: u32
  stop: u32
  /** Pixels of a unit. */
  unitWidth: u32
  unitHeight: u32
  /** Pixels in a row of a plane. */
  stride: u32
  /** What a side is divided by: 8 or 4. */
  divisor: u32
}

export const state = changetype<State>(STATE)

/** How long a side becomes; a pixel that is begun counts. */
export function scaled(side: u32): u32 {
  return (side + state.divisor - 1) / state.divisor
}
