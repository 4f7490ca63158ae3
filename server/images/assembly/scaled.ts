/**
 * Baseline JPEG at an eighth or a quarter of its size, in AssemblyScript: every block of 8 x 8 becomes its mean value,
 * which is its first coefficient (ITU-T T.81 A.3.3), or one for each of its quarters, which three more tell apart. The
 * others are read, as the code demands, but only for where they end, and several at a time. Whatever is not as it should
 * be is refused; who calls has other decoders. `npm run assembly` compiles it.
 */
import { convert } from './colours'
import {
  CLEAN,
  CLEAN_BYTES,
  CODES,
  CODES_BYTES,
  EARLIES,
  EARLY_BYTES,
  INPUT,
  LEAPS,
  LEAP_BYTES,
  PLANES,
  component,
  scaled,
  state,
} from './memory'
import { decodeUnits } from './units'

export { table } from './tables'

/** What of INPUT has not been cleaned. */
let inputAt: usize = INPUT
let inputEnd: usize = INPUT
/** Whether the clean data goes up to a restart marker, and how many there were. */
let isAtMarker: bool = false
let markers: u32 = 0
let units: u32 = 0
/** Units between restart markers. */
let interval: u32 = 0
let planesEnd: usize = PLANES

/** Describes a component, in their order in the scan: the slots of its tables, and its blocks in a unit. */
export function describe(index: u32, dc: usize, ac: usize, h: u32, v: u32): void {
  const it = component(index)
  it.dc = CODES + dc * CODES_BYTES
  it.ac = CODES + ac * CODES_BYTES
  it.leaps = LEAPS + (ac - 3) * LEAP_BYTES
  it.early = EARLIES + (ac - 3) * EARLY_BYTES
  it.h = h
  it.v = v
}

/** What a step of its coefficients is worth: of the first, the one across, the one down, and the one of both. */
export function quantize(index: u32, step: i32, across: i32, down: i32, both: i32): void {
  const it = component(index)
  it.step = step
  it.stepAcross = across
  it.stepDown = down
  it.stepBoth = both
}

/**
 * Begins a scan of three components, described before: the first with one or two blocks across and down in a unit, the
 * others with one. `divisor` is 8 or 4; `restart` the number of units between restart markers, 0 for none. False when
 * there is not enough memory.
 */
export function begin(width: u32, height: u32, divisor: u32, restart: u32): bool {
  const luma = component(0)
  state.divisor = divisor
  state.unitsAcross = (width + 8 * luma.h - 1) / (8 * luma.h)
  const unitsDown = (height + 8 * luma.v - 1) / (8 * luma.v)
  units = state.unitsAcross * unitsDown
  interval = restart == 0 ? units : restart
  state.unit = 0
  state.stop = min(interval, units)
  state.unitWidth = (luma.h * 8) / divisor
  state.unitHeight = (luma.v * 8) / divisor
  state.stride = state.unitsAcross * state.unitWidth
  planesEnd = PLANES
  for (let index: u32 = 0; index < 3; index++) {
    const it = component(index)
    it.plane = planesEnd
    it.across = state.unitWidth / it.h
    it.down = state.unitHeight / it.v
    planesEnd += state.stride * unitsDown * state.unitHeight
  }
  markers = 0
  restartScan()
  const pages = (planesEnd + scaled(width) * scaled(height) * 3 + 32 + 0xffff) >> 16
  return <i32>pages <= memory.size() || memory.grow(<i32>pages - memory.size()) >= 0
}

function restartScan(): void {
  state.bits = 0
  state.count = 0
  state.at = state.cleanEnd = CLEAN
  isAtMarker = false
  for (let index: u32 = 0; index < 3; index++) component(index).before = 0
}

/**
 * Takes the next `length` bytes of coded data, which lie at INPUT; the last of them is no 0xff. Answers 1 when the picture
 * is complete and the data with it, 0 when more is to come, -1 when this is nothing to decode.
 */
export function feed(length: u32, isLast: bool): i32 {
  inputAt = INPUT
  inputEnd = INPUT + length
  while (true) {
    compact()
    if (!clean()) return -1
    const isWhole = isAtMarker || (isLast && inputAt == inputEnd)
    if (!decodeUnits(isWhole)) return -1
    const isDue = state.unit == state.stop
    const left = <i32>((state.cleanEnd - state.at) << 3) + <i32>state.count
    if (isDue && (left < 0 || left > 7)) return -1
    if (!isDue || !isWhole) {
      if (inputAt == inputEnd) return isLast ? -1 : 0
      continue
    }
    if (!isAtMarker) return state.unit == units ? 1 : -1
    if (state.unit == units) return -1
    state.stop = min(state.stop + interval, units)
    restartScan()
  }
}

/** Moves what is left of the clean data to where it may begin. What has been read ahead may lie behind its end. */
function compact(): void {
  const end = state.cleanEnd
  const left = end > state.at ? end - state.at : 0
  memory.copy(CLEAN, state.at, left)
  state.at = CLEAN + (state.at > end ? state.at - end : 0)
  state.cleanEnd = CLEAN + left
}

/** Takes stuffed bytes out, up to a restart marker, the end of the input or a full window. False at other markers. */
function clean(): bool {
  const full = CLEAN + CLEAN_BYTES - 64
  const marked = i8x16.splat(-1)
  let to = state.cleanEnd
  while (inputAt < inputEnd && to < full && !isAtMarker) {
    const many = v128.load(inputAt)
    if (inputAt + 16 <= inputEnd && !v128.any_true(i8x16.eq(many, marked))) {
      v128.store(to, many)
      inputAt += 16
      to += 16
      continue
    }
    for (let i = 0; i < 16 && inputAt < inputEnd; i++) {
      const byte = load<u8>(inputAt++)
      if (byte == 0xff) {
        if (inputAt == inputEnd) return false
        const marker = load<u8>(inputAt++)
        if (marker != 0) {
          if (marker != 0xd0 + (markers & 7)) return false
          markers++
          isAtMarker = true
          break
        }
      }
      store<u8>(to++, byte)
    }
  }
  // Read ahead of the end, nothing may be seen of what lay there before.
  v128.store(to, i64x2.splat(0))
  state.cleanEnd = to
  return true
}

/** Writes the complete picture as RGB, row by row, and answers where. */
export function colours(width: u32, height: u32): usize {
  convert(scaled(width), scaled(height), state.stride, planesEnd)
  return planesEnd
}
