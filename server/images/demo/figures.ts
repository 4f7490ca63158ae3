import type { Random } from './random.ts'

/** A point in the units of a figure: x to the right, y down, 0 at the feet, -100 at the top of the head. */
type Point = readonly [x: number, y: number]

/** Where the joints of a figure are; the left side is the viewer's. */
export interface Pose {
  lean: number
  leftHand: Point
  rightHand: Point
  leftFoot: Point
  rightFoot: Point
}

/** What distinguishes one person from another. */
export interface Look {
  isWearingDress: boolean
  hair: 'short' | 'long' | 'bun' | 'curly'
  /** Width of the body; 1 is average. */
  build: number
}

/** Poses of people at a party. Arms are 34 units long, legs 47. */
export const poses = {
  standing: { lean: 0, leftHand: [-15, -46], rightHand: [15, -46], leftFoot: [-6, 0], rightFoot: [6, 0] },
  toasting: { lean: 1, leftHand: [-15, -47], rightHand: [27, -104], leftFoot: [-7, 0], rightFoot: [6, 0] },
  cheering: { lean: 0, leftHand: [-25, -112], rightHand: [26, -110], leftFoot: [-9, 0], rightFoot: [9, 0] },
  dancing: { lean: -5, leftHand: [-33, -92], rightHand: [27, -58], leftFoot: [-14, -2], rightFoot: [12, 0] },
  swinging: { lean: 6, leftHand: [-24, -56], rightHand: [33, -97], leftFoot: [-11, 0], rightFoot: [17, -4] },
  holdingRight: { lean: 2, leftHand: [-16, -48], rightHand: [30, -66], leftFoot: [-6, 0], rightFoot: [7, 0] },
  holdingLeft: { lean: -2, leftHand: [-30, -66], rightHand: [16, -48], leftFoot: [-7, 0], rightFoot: [6, 0] },
  filming: { lean: 0, leftHand: [-14, -47], rightHand: [12, -93], leftFoot: [-6, 0], rightFoot: [6, 0] },
} as const satisfies Record<string, Pose>
export type PoseName = keyof typeof poses

export const randomLook = (random: Random): Look => ({
  isWearingDress: random.chance(0.45),
  hair: random.pick(['short', 'short', 'long', 'bun', 'long', 'curly']),
  build: random.between(0.88, 1.12),
})

/** A limb that gets thinner from one joint to the next. */
function limb(from: Point, to: Point, [widthFrom, widthTo]: readonly [number, number]): string {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const length = Math.hypot(dx, dy) || 1
  const [nx, ny] = [-dy / length, dx / length]
  const corner = ([x, y]: Point, width: number): string =>
    `${(x + nx * width).toFixed(2)},${(y + ny * width).toFixed(2)}`
  return (
    `<path d="M${corner(from, widthFrom)}L${corner(to, widthTo)}L${corner(to, -widthTo)}L${corner(from, -widthFrom)}Z"/>` +
    `<circle cx="${from[0]}" cy="${from[1]}" r="${widthFrom}"/><circle cx="${to[0]}" cy="${to[1]}" r="${widthTo}"/>`
  )
}

/** The joint between two points, so that both parts have their length; bent to the side of `bend`. */
function joint(from: Point, to: Point, { part, bend }: { part: number; bend: 1 | -1 }): Point {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const length = Math.hypot(dx, dy) || 1
  const out = Math.sqrt(Math.max(part ** 2 - (length / 2) ** 2, 0)) * bend
  return [from[0] + dx / 2 - (dy / length) * out, from[1] + dy / 2 + (dx / length) * out]
}

function arm(shoulder: Point, hand: Point, bend: 1 | -1): string {
  const elbow = joint(shoulder, hand, { part: 17.5, bend })
  return limb(shoulder, elbow, [3.3, 2.3]) + limb(elbow, hand, [2.2, 1.3]) + palm(elbow, hand)
}

/** A hand that goes on in the direction of the arm. */
function palm(elbow: Point, [x, y]: Point): string {
  const angle = (Math.atan2(y - elbow[1], x - elbow[0]) * 180) / Math.PI
  return `<ellipse cx="${x}" cy="${y}" rx="3" ry="1.7" transform="rotate(${angle.toFixed(0)} ${x} ${y}) translate(1.6 0)"/>`
}

function leg(hip: Point, foot: Point, bend: 1 | -1): string {
  const knee = joint(hip, foot, { part: 24, bend })
  const toe: Point = [foot[0] + bend * 4.5, foot[1]]
  return limb(hip, knee, [5, 3.6]) + limb(knee, foot, [3.6, 2]) + limb(foot, toe, [1.9, 1.3])
}

function head([x, y]: Point, { hair }: Look): string {
  const face = `<ellipse cx="${x}" cy="${y}" rx="4.9" ry="6.6"/>`
  if (hair === 'short') return `${face}<path d="M${x - 6} ${y + 1}q-1-9 6-9.4q7 .4 6 9.4q-2-5-6-5t-6 5Z"/>`
  if (hair === 'bun')
    return `${face}<ellipse cx="${x}" cy="${y - 2}" rx="6.3" ry="6.4"/><circle cx="${x + 1}" cy="${y - 9}" r="3.4"/>`
  if (hair === 'curly')
    return `${face}<circle cx="${x - 4.4}" cy="${y - 4}" r="4.6"/><circle cx="${x + 4.4}" cy="${y - 4}" r="4.6"/><circle cx="${x}" cy="${y - 6.6}" r="5"/><circle cx="${x - 5}" cy="${y + 1.4}" r="3.4"/><circle cx="${x + 5}" cy="${y + 1.4}" r="3.4"/>`
  return `${face}<path d="M${x - 6.4} ${y + 11}q-2.6-19 6.4-19.4q9 .4 6.4 19.4q-2.4 2.6-4 0v-8h-4.8v8q-1.6 2.6-4 0Z"/>`
}

/** One person as shapes of SVG in the units of a figure, without a colour of their own. */
export function figure({ lean, leftHand, rightHand, leftFoot, rightFoot }: Pose, look: Look): string {
  const { isWearingDress, build } = look
  const shoulders = 10.4 * build
  const waist = 6.6 * build
  const hips = (isWearingDress ? 9 : 7.6) * build
  const [leftShoulder, rightShoulder]: [Point, Point] = [
    [lean - shoulders + 2, -80],
    [lean + shoulders - 2, -80],
  ]
  const torso =
    `M${lean - 3} -86q-.4 3-${shoulders - 4} 4.4q-3 1-2.6 4.6L${lean / 2 - waist} -62L${-hips} -46h${2 * hips}` +
    `L${lean / 2 + waist} -62L${lean + shoulders - 0.2} -77q.4-3.6-2.6-4.6q-${shoulders - 4}-1.4-${shoulders - 4}-4.4Z`
  const skirt = `<path d="M${-hips + 1} -50q-3 12-${7.5 * build} 27q${hips + 6} 5 ${2 * (hips + 5.6)} 0q-5-15-7-27Z"/>`
  return [
    leg([-4, -47], leftFoot, -1),
    leg([4, -47], rightFoot, 1),
    `<path d="${torso}"/>`,
    isWearingDress ? skirt : '',
    limb([lean, -84], [lean * 1.2, -88], [2.9, 2.7]),
    head([lean * 1.3, -93], look),
    arm(leftShoulder, leftHand, leftHand[1] < -80 ? 1 : -1),
    arm(rightShoulder, rightHand, rightHand[1] < -80 ? -1 : 1),
  ].join('')
}
