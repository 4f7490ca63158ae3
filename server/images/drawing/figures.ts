import { head, hairStyles, type Facing, type Hair, type FigurePart } from './heads.ts'
import { curveThrough, jointTowards, limb, turned, type Point } from './outlines.ts'
import { prop, type PropName } from './props.ts'
import type { Random } from './random.ts'

/** Where the joints of a figure are; the left side is the viewer's. */
export interface Pose {
  /** How far the hips and the chest are beside the feet. */
  hips: number
  chest: number
  /** Degrees, clockwise: of the line of the shoulders, and of the head. */
  shoulders: number
  tilt: number
  facing: Facing
  leftHand: Point
  rightHand: Point
  leftFoot: Point
  rightFoot: Point
  leftHolds?: PropName
  rightHolds?: PropName
  /** Seen from the side: narrower. */
  isSideways?: boolean
}

/** What distinguishes one person from another. */
export interface FigureLook {
  wears: 'dress' | 'gown' | 'suit' | 'shirt'
  hair: Hair
  /** Width of the body; 1 is average. */
  build: number
  /** How far the hem of a dress swings to a side. */
  swing: number
}

export function randomLook(random: Random, isInDress = random.chance(0.48)): FigureLook {
  const short: readonly Hair[] = ['short', 'crop', 'short', 'curls']
  return {
    wears: isInDress ? random.pick(['dress', 'dress', 'gown']) : random.pick(['suit', 'shirt', 'shirt']),
    hair: random.pick(isInDress ? hairStyles.filter((style) => !short.includes(style)) : short),
    build: random.between(0.9, 1.1) * (isInDress ? 0.88 : 1.03),
    swing: random.between(-4, 4),
  }
}

const isDress = ({ wears }: FigureLook): boolean => wears === 'dress' || wears === 'gown'

/** Shoulder to elbow to wrist, and the hand with its thumb. */
function arm(
  [shoulder, hand]: readonly [Point, Point],
  side: -1 | 1,
  { isBare, build }: { isBare: boolean; build: number },
): string {
  // Elbows point outwards, and down where the hand is on the other side of the body.
  const isAcross = (hand[0] - shoulder[0]) * side < -4
  const elbow = jointTowards([shoulder, hand], [16.5, 15], isAcross ? [side * 0.2, 1] : [side, 0.55])
  const length = Math.hypot(hand[0] - elbow[0], hand[1] - elbow[1]) || 1
  const [ux, uy] = [(hand[0] - elbow[0]) / length, (hand[1] - elbow[1]) / length]
  const wrist: Point = [elbow[0] + ux * 14, elbow[1] + uy * 14]
  const along = (part: number): Point => [wrist[0] + ux * part, wrist[1] + uy * part]
  const [wide, narrow] = isBare ? [2.5 * build, 1.35] : [3.2 * build, 2]
  const middle = (one: Point, other: Point, part: number): Point => [
    one[0] + (other[0] - one[0]) * part,
    one[1] + (other[1] - one[1]) * part,
  ]
  const sleeve = limb([
    [...shoulder, wide],
    [...middle(shoulder, elbow, 0.5), wide * 0.95],
    [...elbow, wide * 0.78],
    [...middle(elbow, wrist, 0.4), wide * 0.76],
    [...wrist, narrow],
  ])
  const thumb: Point = [along(2.4)[0] - uy * 1.9 * side, along(2.4)[1] + ux * 1.9 * side]
  return `${sleeve}${limb([
    [...along(-0.4), 1.1],
    [...along(2), 1.55],
    [...along(4.6), 1.1],
    [...along(5.8), 0.6],
  ])}${limb([
    [...along(0.6), 0.8],
    [...thumb, 0.55],
  ])}`
}

/** Hip to knee to ankle, and the foot. */
function leg([hip, foot]: readonly [Point, Point], side: -1 | 1, isBare: boolean): string {
  const ankle: Point = [foot[0], foot[1] - 3.4]
  const knee = jointTowards([hip, ankle], [24.5, 23], [side, 0])
  const [thigh, kneeWidth, calf, end] = isBare ? [4.6, 2.8, 2.7, 1.3] : [5.4, 3.7, 3.3, 2.7]
  const middle: Point = [(knee[0] * 2 + ankle[0]) / 3, (knee[1] * 2 + ankle[1]) / 3]
  const shoe = limb([
    [ankle[0], ankle[1] + 1, 1.6],
    [foot[0] + side * 2.2, foot[1] - 1.2, 1.5],
    [foot[0] + side * 5, foot[1] - 0.6, 0.8],
  ])
  return (
    limb([
      [...hip, thigh],
      [...knee, kneeWidth],
      [...middle, calf],
      [...ankle, end],
    ]) + shoe
  )
}

interface Frame {
  hips: Point
  chest: Point
  /** Half widths. */
  shoulder: number
  waist: number
  hip: number
}

/** The middle of hips and chest, and how wide the body is there. */
function frameOf({ hips, chest, isSideways }: Pose, look: FigureLook): Frame {
  const width = look.build * (isSideways ? 0.74 : 1)
  const waist = isDress(look) ? 5.5 : 6.7
  return { hips: [hips, -50], chest: [chest, -79], shoulder: 9.4 * width, waist: waist * width, hip: 7.6 * width }
}

function torso({ hips, chest, shoulder, waist, hip }: Frame, { shoulders }: Pose, { wears }: FigureLook): string {
  const [x, y] = chest
  const middle = (hips[0] + x) / 2
  const up = (dx: number, dy: number): Point => turned([x + dx, y + dy], chest, shoulders)
  const hem = wears === 'suit' ? 4.5 : 1
  const side = (sign: -1 | 1): Point[] => [
    up(sign * 2.5, -6.4),
    up(sign * shoulder * 0.62, -4.4),
    up(sign * shoulder, -1.6),
    up(sign * (shoulder - 0.3), 4),
    [middle + sign * waist, -63],
    [hips[0] + sign * (hip + (wears === 'suit' ? 0.6 : 0)), -51],
    [hips[0] + sign * (hip - 0.6), -49 + hem],
  ]
  return curveThrough([...side(-1), ...side(1).toReversed()])
}

/** The skirt swings with the hips. */
function skirt({ hips, hip }: Frame, { wears, swing }: FigureLook): string {
  const [end, width] = wears === 'gown' ? [-3, 15] : [-27, 12]
  const x = hips[0]
  return curveThrough([
    [x - hip * 0.86, -58],
    [x - hip - 0.3, -50],
    [x - width + swing, end - 2],
    [x - width * 0.5 + swing, end + 1.4],
    [x + swing, end - 0.6],
    [x + width * 0.55 + swing, end + 1.6],
    [x + width + swing, end - 2],
    [x + hip + 0.3, -50],
    [x + hip * 0.86, -58],
  ])
}

/** The white of a shirt below a jacket. */
const shirtFront = ({ chest: [x, y] }: Frame): string =>
  `<path d="M${x - 2.6} ${y - 4.4}L${x} ${y + 13}L${x + 2.6} ${y - 4.4}Z"/>`

/** The joints of both arms with the body. */
export function shouldersOf(pose: Pose, look: FigureLook): readonly [left: Point, right: Point] {
  const { chest, shoulder } = frameOf(pose, look)
  const at = (side: -1 | 1): Point =>
    turned([chest[0] + side * (shoulder - 1.7), chest[1] + 0.4], chest, pose.shoulders)
  return [at(-1), at(1)]
}

const neck = ([x, y]: Point, [headX, headY]: Point): string =>
  limb([
    [x, y - 3, 2.7],
    [(x + headX) / 2, -86, 2.4],
    [headX, headY + 3, 2.5],
  ])

function legs({ leftFoot, rightFoot }: Pose, { hips, hip }: Frame, isBare: boolean): FigurePart {
  const left = leg([[hips[0] - hip * 0.5, -49], leftFoot], -1, isBare)
  return [isBare ? 'skin' : 'bottom', left + leg([[hips[0] + hip * 0.5, -49], rightFoot], 1, isBare)]
}

/** One person, as shapes of SVG in the units of a figure. */
export function figure(pose: Pose, look: FigureLook): FigurePart[] {
  const frame = frameOf(pose, look)
  const { chest } = frame
  const isBare = isDress(look)
  const headAt = turned([chest[0] + pose.shoulders * 0.03, -93.4], chest, pose.shoulders * 0.5)
  const { behind, before } = head(headAt, { style: look.hair, facing: pose.facing, tilt: pose.tilt })
  const [leftShoulder, rightShoulder] = shouldersOf(pose, look)
  const { build } = look
  const limbs = (shape: string, hand: Point, holds: PropName | undefined): FigurePart[] => [
    ...(holds ? prop(holds, hand) : []),
    [isBare ? 'skin' : 'top', shape],
  ]
  const showsShirt = look.wears === 'suit' && pose.facing === 'front' && !pose.isSideways
  return [
    ...behind,
    legs(pose, frame, isBare),
    ...(isBare ? [['top', skirt(frame, look)] as const] : []),
    ['skin', neck(chest, headAt)],
    ['top', torso(frame, pose, look)],
    ...(showsShirt ? [['shirt', shirtFront(frame)] as const] : []),
    ...before,
    ...limbs(arm([leftShoulder, pose.leftHand], -1, { isBare, build }), pose.leftHand, pose.leftHolds),
    ...limbs(arm([rightShoulder, pose.rightHand], 1, { isBare, build }), pose.rightHand, pose.rightHolds),
  ]
}
