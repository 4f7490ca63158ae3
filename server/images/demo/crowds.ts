import { px, type Layer } from './canvas.ts'
import { figure, poses, randomLook, type PoseName } from './figures.ts'
import { createRandom } from './random.ts'
import type { Scenery } from './lights.ts'

interface Crowd {
  count: number
  /** Height of a person, as a part of the picture's height. */
  height: readonly [least: number, most: number]
  /** Where the feet are, as a part of the picture's height; more than 1 is below its edge. */
  feet: number
  poses: readonly PoseName[]
  blur: number
  opacity?: number
}

/** People in a row, as shapes without a colour. The same seed gives the same people. */
function people({ size: { width, height } }: Scenery, crowd: Crowd, seed: number): string {
  const random = createRandom(seed)
  return Array.from({ length: crowd.count }, (_, index) => {
    const scale = (random.between(...crowd.height) * height) / 100
    const x = ((index + 0.5 + random.between(-0.28, 0.28)) / crowd.count) * width
    const y = (crowd.feet + random.between(-0.015, 0.03)) * height
    const flip = random.chance(0.5) ? -1 : 1
    return `<g transform="translate(${px(x)} ${px(y)}) rotate(${px(random.between(-3, 3))}) scale(${(scale * flip).toFixed(3)} ${scale.toFixed(3)})">${figure(poses[random.pick(crowd.poses)], randomLook(random))}</g>`
  }).join('')
}

/** People against the light, with a bright edge. */
export function silhouettes(scenery: Scenery, crowd: Crowd): Layer[] {
  const seed = scenery.random.integer(1, 2 ** 31)
  const { palette, size } = scenery
  const shapes = people(scenery, crowd, seed)
  const edge = size.height * 0.007
  return [
    {
      shapes: `<g transform="translate(0 ${px(-edge)})" fill="${palette.rim}" fill-opacity="${crowd.opacity ?? 1}">${shapes}</g>`,
      blur: crowd.blur + 2.5,
      blend: 'screen',
    },
    { shapes: `<g fill="${palette.shadow}" fill-opacity="${crowd.opacity ?? 1}">${shapes}</g>`, blur: crowd.blur },
  ]
}

/** People far behind, in the haze of the light. */
export const farPeople = (scenery: Scenery, crowd: Crowd): Layer => ({
  shapes: `<g fill="${scenery.palette.shadow}" fill-opacity="${crowd.opacity ?? 0.7}">${people(scenery, crowd, scenery.random.integer(1, 2 ** 31))}</g>`,
  blur: crowd.blur,
})
