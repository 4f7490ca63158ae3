import { component } from './memory'

/** Writes what the planes of three components hold as RGB, row by row (ITU-T T.871 section 7), and a few bytes more. */
export function convert(width: u32, height: u32, stride: u32, to: usize): void {
  const luma = component(0).plane
  const blue = component(1).plane
  const red = component(2).plane
  const middle = i16x8.splat(128)
  for (let y: u32 = 0; y < height; y++, to += 3 * width) {
    const row: usize = y * stride
    for (let x: usize = 0; x < width; x += 8) {
      const light = v128.load_ext<u8>(luma + row + x)
      const cb = i16x8.sub(v128.load_ext<u8>(blue + row + x), middle)
      const cr = i16x8.sub(v128.load_ext<u8>(red + row + x), middle)
      // Of the factors 1.402, 0.344136, 0.714136 and 1.772 what is not whole, in fifteenth bits.
      const r = i16x8.add(i16x8.add(light, cr), i16x8.q15mulr_sat_s(cr, i16x8.splat(13173)))
      const g = i16x8.sub(
        i16x8.sub(light, i16x8.q15mulr_sat_s(cb, i16x8.splat(11277))),
        i16x8.q15mulr_sat_s(cr, i16x8.splat(23401)),
      )
      const b = i16x8.add(i16x8.add(light, cb), i16x8.q15mulr_sat_s(cb, i16x8.splat(25297)))
      const rg = i8x16.narrow_i16x8_u(r, g)
      const bb = i8x16.narrow_i16x8_u(b, b)
      const at = to + 3 * x
      v128.store(at, i8x16.shuffle(rg, bb, 0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5))
      v128.store64_lane(at + 16, i8x16.shuffle(rg, bb, 13, 21, 6, 14, 22, 7, 15, 23, 0, 0, 0, 0, 0, 0, 0, 0), 0)
    }
  }
}
