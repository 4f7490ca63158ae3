import { mixed, px, type Layer } from './canvas.ts'
import { figure, randomLook, type FigureLook, type Pose } from './figures.ts'
import type { FigurePart, Role } from './heads.ts'
import type { Scenery } from './lights.ts'
import type { Point } from './outlines.ts'
import type { Palette } from './palettes.ts'
import { groups, widthOf, type GroupName, type Member } from './groups.ts'
import { poses, type PoseName } from './poses.ts'
import type { Random } from './random.ts'

export interface Crowd {
  /** How many people and groups stand beside each other. */
  count: number
  /** Height of a person, as a part of the picture's height. */
  height: readonly [least: number, most: number]
  /** Where the feet are, as a part of the picture's height; more than 1 is below its edge. */
  feet: number
  poses: readonly (PoseName | GroupName)[]
  blur: number
  /** How much of its own colour everything has; the rest is shadow. */
  light?: number
  /** The middle of the row and its width, as parts of the picture's width. */
  middle?: number
  width?: number
}

const skins = ['#f0c3a0', '#e2a67e', '#c98a62', '#9a6242', '#6b422c', '#f6d3b8'] as const
const hairs = ['#2a1a12', '#4a2f1c', '#7a5230', '#1a1412', '#a8763e', '#31211c'] as const
const suits = ['#20242f', '#2c2a33', '#141821', '#3b3f4c', '#e9e4dc'] as const

type Colours = Record<Exclude<Role, 'glow'>, string>

/** The colours of a person in front of the light: mostly shadow. */
function coloursOf(
  random: Random,
  { party, shadow, rim }: Palette,
  { wears, light }: Pick<FigureLook, 'wears'> & { light: number },
): Colours {
  const lit = (colour: string, part: number): string => mixed(mixed(colour, rim, 0.14), shadow, 1 - part * light)
  const isDress = wears === 'dress' || wears === 'gown'
  const top = isDress || (wears === 'shirt' && random.chance(0.4)) ? random.pick(party) : random.pick(suits)
  return {
    skin: lit(random.pick(skins), 0.46),
    hair: lit(random.pick(hairs), 0.6),
    top: lit(top, isDress ? 0.4 : 0.5),
    bottom: lit(random.pick(suits), 0.3),
    shirt: lit('#f4ece2', 0.42),
    prop: lit('#fff3dc', 0.55),
  }
}

/** A person between the light and the viewer: the edge towards the light is bright. */
function lit(
  parts: readonly FigurePart[],
  colours: Colours,
  { rim, edge: [dx, dy] }: { rim: string; edge: Point },
): string {
  const outline = parts
    .filter(([role]) => role !== 'glow')
    .map(([, shape]) => shape)
    .join('')
  const body = parts
    .map(([role, shape]) => (role === 'glow' ? shape : `<g fill="${colours[role]}">${shape}</g>`))
    .join('')
  return `<g transform="translate(${dx} ${dy})" fill="${rim}">${outline}</g>${body}`
}

/** The same pose is never quite the same. */
function varied(pose: Pose, random: Random): Pose {
  const near = ([x, y]: Point): Point => [x + random.between(-1.6, 1.6), y + random.between(-2, 2)]
  return {
    ...pose,
    shoulders: pose.shoulders + random.between(-2.5, 2.5),
    tilt: pose.tilt + random.between(-5, 5),
    leftHand: near(pose.leftHand),
    rightHand: near(pose.rightHand),
  }
}

/** One person or a group, from back to front. */
const membersOf = (name: PoseName | GroupName, random: Random): readonly Member[] =>
  name in groups ? groups[name as GroupName] : [{ x: 0, pose: varied(poses[name as PoseName], random) }] // one or the other

const roomOf = (name: PoseName | GroupName): number => (name in groups ? widthOf(name as GroupName) : 1) // one or the other

interface Place {
  x: number
  y: number
  scale: number
  flip: 1 | -1
  /** How much of its own colour everything has. */
  light: number
}

function drawGroup(scenery: Scenery, name: PoseName | GroupName, { x, y, scale, flip, light }: Place): string {
  const { random, palette, size } = scenery
  // The rim is on the side of the light in the middle, and above.
  const edge: Point = [(x < size.width / 2 ? 0.5 : -0.5) * flip, -0.5]
  const people = membersOf(name, random).map((member) => {
    const look = randomLook(random, member.isInDress)
    const parts = figure(member.pose, look)
    const colours = coloursOf(random, palette, { wears: look.wears, light })
    const height = member.height ?? random.between(0.94, 1.05)
    return `<g transform="translate(${px(member.x)} 0) scale(${height.toFixed(4)})">${lit(parts, colours, { rim: palette.rim, edge })}</g>`
  })
  return `<g transform="translate(${px(x)} ${px(y)}) rotate(${px(random.between(-1.5, 1.5))}) scale(${(scale * flip).toFixed(3)} ${scale.toFixed(3)})">${people.join('')}</g>`
}

/** People in a row that overlap each other, in front of the light. */
export function crowd(
  scenery: Scenery,
  { count, height, feet, poses: names, blur, light = 1, middle = 0.5, width = 1.1 }: Crowd,
): Layer {
  const { random, size } = scenery
  const row = Array.from({ length: count }, () => random.pick(names))
  const room = row.reduce((sum, name) => sum + roomOf(name), 0)
  let taken = 0
  const placed = row.map((name) => {
    const part = (taken + roomOf(name) / 2) / room
    taken += roomOf(name)
    const x = (middle + (part - 0.5) * width + random.between(-0.12, 0.12) / count) * size.width
    return { name, x, depth: random.between(-1, 1) }
  })
  const shapes = placed
    // Nearer people are lower, larger, and in front.
    .toSorted((one, other) => one.depth - other.depth)
    .map(({ name, x, depth }) => {
      const [least, most] = height
      const scale = ((least + ((most - least) * (depth + 1)) / 2) * size.height) / 100
      const place = { x, y: (feet + depth * 0.025) * size.height, scale, flip: random.chance(0.5) ? -1 : 1 } as const
      return drawGroup(scenery, name, { ...place, light })
    })
  return { shapes: shapes.join(''), blur }
}
