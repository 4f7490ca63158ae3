import type { SeededRandom } from '@keepsnap/server/test/statistics.ts'

/** Photos that are taken at nearly the same time, and the pause after them. */
export interface Burst {
  size: number
  /** Chosen together on the upload page, instead of sent by a camera. */
  onPage: boolean
  /** A file of a slow format is sent just before. */
  withSlowFile: boolean
  /** A damaged file is sent before the last. */
  withTornFile: boolean
  pauseMs: number
}

const onPageAt = 60
const onPageCount = 50
const largestBurst = 8
const slowEvery = 6
const tornEvery = 12
/** After every so many bursts comes a pause that is long enough for the slideshow. */
const longPauseEvery = 9
/** How long the slideshow shows a photo. */
export const slideMs = 15_000
/** Of the browser's clock. */
export const pauses = { shortest: 2_000, range: 30_000, long: 65_000 }

/** Single photos and bursts of up to eight, and one of fifty from the upload page. */
export function planEvening(count: number, random: SeededRandom): Burst[] {
  const bursts: Burst[] = []
  for (let planned = 0; planned < count;) {
    const onPage = planned >= onPageAt && !bursts.some((burst) => burst.onPage)
    const wanted = onPage ? onPageCount : random.oneIn(2) ? 1 : 2 + random.integerBelow(largestBurst - 1)
    const size = Math.min(wanted, count - planned)
    const at = bursts.length
    bursts.push({
      size,
      onPage,
      withSlowFile: at % slowEvery === 2,
      withTornFile: !onPage && size > 1 && at % tornEvery < 2,
      pauseMs:
        at % longPauseEvery === longPauseEvery - 1 ? pauses.long : pauses.shortest + random.next() * pauses.range,
    })
    planned += size
  }
  return bursts
}
