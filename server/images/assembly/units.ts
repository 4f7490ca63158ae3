import { COEFFICIENTS, EARLY, LEAP, component, state } from './memory'
import { BLOCK_ENDS, isUnknown, valueOf } from './tables'

/** More than the longest unit: 6 blocks of 64 coefficients of 16 + 15 bits. */
const UNIT_BYTES: usize = 2048

const HALF: i32 = 0x8000
/** What a coefficient adds to the mean of half a block and of a quarter, in sixteenth bits: T.81 A.3.3, averaged. */
const SLOPE: i32 = 7423
const TWIST: i32 = 6726

/** The next 64 bits of clean data, the first one highest. */
function peek(place: usize): u64 {
  const low = v128.load64_zero(place)
  return <u64>i64x2.extract_lane(i8x16.shuffle(low, low, 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0), 0)
}

/** A sample from its sixteenth bits below the point and its level shift (T.81 A.3.1). */
function level(value: i32): u8 {
  return <u8>max(0, min(255, (value >> 16) + 128))
}

/** Two samples on either side of a mean, each twice. */
function pair(mean: i32, slope: i32): u32 {
  return <u32>level(mean + slope) * 0x101 + <u32>level(mean - slope) * 0x1010000
}

/**
 * Decodes units up to where they stop, or to where more data is needed unless it `isWhole`; false when a code is none, or
 * a block has too many coefficients. All in one function: what is read bit by bit has to stay in registers.
 */
export function decodeUnits(isWhole: bool): bool {
  const stride = state.stride
  let ahead = state.bits
  let known = state.count
  let place = state.at
  let unit = state.unit
  for (; unit < state.stop && (isWhole || place + UNIT_BYTES <= state.cleanEnd); unit++) {
    if (place > state.cleanEnd + 8) return false
    const row = unit / state.unitsAcross
    const column = unit - row * state.unitsAcross
    for (let index: u32 = 0; index < 3; index++) {
      const it = component(index)
      const ac = it.ac
      const leaps = it.leaps
      const isWide = it.across > 1
      const isTall = it.down > 1
      const corner = it.plane + row * state.unitHeight * stride + column * state.unitWidth
      for (let block: u32 = 0; block < it.h * it.v; block++) {
        ahead |= peek(place) >> known
        place += (63 - known) >> 3
        known |= 56
        // The first coefficient, as a difference from the one before.
        const first: u32 = load<u16>(it.dc + ((<usize>(ahead >> 48)) << 1))
        if (first == 0) return false
        ahead <<= first >> 8
        it.before += valueOf(ahead, first & 255)
        ahead <<= first & 255
        known -= (first >> 8) + (first & 255)
        const mean = it.before * it.step * 8192 + HALF
        const to = corner + (block & (it.h - 1)) * it.across + (block >> (it.h - 1)) * it.down * stride
        let k: u32 = 1
        if (!isWide && !isTall) {
          store<u8>(to, level(mean))
        } else {
          // Those that tell halves and quarters apart, in the order of T.81 figure A.6.
          v128.store(COEFFICIENTS, i64x2.splat(0))
          ahead |= peek(place) >> known
          place += (63 - known) >> 3
          known |= 56
          // Enough for the four that there may be, when each is short.
          while (k < 5) {
            const early: i32 = load<i32>(it.early + ((<usize>(ahead >> (64 - EARLY))) << 2))
            if (early != 0) {
              ahead <<= early & 15
              known -= early & 15
              k += (early >> 8) & 255
              store<i16>(COEFFICIENTS + ((<usize>k) << 1), <i16>(early >> 16))
              continue
            }
            ahead |= peek(place) >> known
            place += (63 - known) >> 3
            known |= 56
            const entry: u32 = load<u16>(ac + ((<usize>(ahead >> 48)) << 1))
            const symbol = entry & 255
            if (entry == 0 || isUnknown(symbol)) return false
            ahead <<= entry >> 8
            k += symbol == 0 ? 64 : (symbol >> 4) + 1
            store<i16>(COEFFICIENTS + ((<usize>k) << 1), <i16>valueOf(ahead, symbol & 15))
            ahead <<= symbol & 15
            known -= (entry >> 8) + (symbol & 15)
            ahead |= peek(place) >> known
            place += (63 - known) >> 3
            known |= 56
          }
          const across = isWide ? load<i16>(COEFFICIENTS + 4) * it.stepAcross * SLOPE : 0
          const down = isTall ? load<i16>(COEFFICIENTS + 6) * it.stepDown * SLOPE : 0
          const both = isWide && isTall ? load<i16>(COEFFICIENTS + 10) * it.stepBoth * TWIST : 0
          const top = pair(mean + down, across + both)
          const bottom = pair(mean - down, across - both)
          for (let y: u32 = 0; y < it.down; y++) {
            const line = isTall && y >= it.down >> 1 ? bottom : top
            if (it.across == 4) store<u32>(to + y * stride, line)
            else if (isWide) store<u16>(to + y * stride, <u16>(line >> 8))
            else store<u8>(to + y * stride, <u8>line)
          }
        }
        // The rest, for where it ends.
        while (k < 64) {
          ahead |= peek(place) >> known
          place += (63 - known) >> 3
          known |= 56
          // At least 56 bits are known: enough for three leaps and for the code that may follow two.
          let leap: u32 = load<u32>(leaps + ((<usize>(ahead >> (64 - LEAP))) << 2))
          let next = k + (leap >> 8)
          if (next < 64) {
            ahead <<= leap & 31
            known -= leap & 31
            k = next
            leap = load<u32>(leaps + ((<usize>(ahead >> (64 - LEAP))) << 2))
            next = k + (leap >> 8)
            if (next < 64) {
              ahead <<= leap & 31
              known -= leap & 31
              k = next
              leap = load<u32>(leaps + ((<usize>(ahead >> (64 - LEAP))) << 2))
              next = k + (leap >> 8)
              if (next < 64) {
                ahead <<= leap & 31
                known -= leap & 31
                k = next
                continue
              }
            }
          }
          // At the last coefficient, or at an end of the block that was told before it.
          if (next == 64 || (next >= BLOCK_ENDS && next < BLOCK_ENDS + 64)) {
            ahead <<= leap & 31
            known -= leap & 31
            break
          }
          // One that is too long for a leap, or may be one too many.
          const entry: u32 = load<u16>(ac + ((<usize>(ahead >> 48)) << 1))
          const symbol = entry & 255
          if (entry == 0 || isUnknown(symbol)) return false
          const length = (entry >> 8) + (symbol & 15)
          if (known < length) {
            ahead |= peek(place) >> known
            place += (63 - known) >> 3
            known |= 56
          }
          ahead <<= length
          known -= length
          if (symbol == 0) break
          k += (symbol >> 4) + 1
          if (k > 64) return false
        }
      }
    }
  }
  state.bits = ahead
  state.count = known
  state.at = place
  state.unit = unit
  return true
}
