import { mixed } from './canvas.ts'
import type { Scenery } from './lights.ts'
import { limb, type Point } from './outlines.ts'

/** A hand around something thin and upright, close to the camera. */
export interface HoldingHand {
  /** Where it holds. */
  x: number
  y: number
  /** The elbow, outside of the picture. */
  elbow: Point
  /** Pixels of a unit. */
  unit: number
}

/** What is behind the thing that the hand holds, its outline, and the fingers in front. */
export function holdingHand(
  { random, palette }: Scenery,
  { x, y, elbow, unit }: HoldingHand,
): Record<'behind' | 'outline' | 'before', string> {
  const [dx, dy] = [elbow[0] - x, elbow[1] - y]
  const length = Math.hypot(dx, dy)
  const side = dx < 0 ? -1 : 1
  const from = (part: number): Point => [x + (dx / length) * part * unit, y + (dy / length) * part * unit]
  const skin = mixed(random.pick(['#f0c3a0', '#e2a67e', '#b97d56', '#8a5738']), palette.shadow, 0.42)
  const sleeve = mixed(random.pick(palette.party), palette.shadow, 0.78)
  const width = (part: number): number => part * unit
  const palm = limb([
    [x + side * width(14), y - width(6), width(30)],
    [...from(62), width(44)],
    [...from(128), width(33)],
  ])
  const forearm = limb([
    [...from(120), width(40)],
    [...from(300), width(58)],
    [...elbow, width(86)],
  ])
  const cuff = limb([
    [...from(112), width(37)],
    [...from(146), width(41)],
  ])
  const finger = (n: number): string => {
    const top = y + width(-42 + n * 25)
    const shorter = n * 4
    return limb([
      [x + side * width(40), top + width(4), width(14)],
      [x, top - width(2), width(13.5)],
      [x - side * width(27 - shorter), top + width(5), width(11)],
    ])
  }
  const thumb = limb([
    [x + side * width(34), y - width(30), width(15)],
    [x + side * width(16), y - width(66), width(12)],
    [x + side * width(4), y - width(84), width(9)],
  ])
  const fingers = [3, 2, 1, 0].map(finger).join('')
  return {
    outline: forearm + palm + thumb,
    behind: `<g fill="${skin}">${palm}${thumb}</g><g fill="${sleeve}">${forearm}</g><g fill="${mixed('#f4ece2', palette.shadow, 0.45)}">${cuff}</g>`,
    before: `<g fill="${mixed(skin, palette.rim, 0.1)}" stroke="${mixed(skin, palette.shadow, 0.6)}" stroke-width="${width(3).toFixed(1)}">${fingers}</g>`,
  }
}
