import type { Layer, Size } from './canvas.ts'
import { crowd, type Crowd } from './crowds.ts'
import { backdrop, beams, bokeh, confetti, fireworks, floorShade, haze, stringLights, type Scenery } from './lights.ts'
import { balloons, cake, clinkingGlasses, lanterns, mirrorBall, sparkler } from './objects.ts'

type Names = Crowd['poses']
const dance: Names = [
  'dancing',
  'cheering',
  'swaying',
  'spinning',
  'cheeringWithGlass',
  'pointing',
  'twirl',
  'friends',
  'dancing',
]
const reception: Names = ['listening', 'chatting', 'laughing', 'toasting', 'glasses', 'whisper', 'embrace', 'friends']
const all: Names = [...dance, ...reception]
const couples: Names = ['slowDance', 'kiss', 'embrace', 'twirl']
const spectators: Names = ['watching', 'filming', 'embrace', 'watching', 'cheering', 'waving', 'whisper']

const isPortrait = ({ width, height }: Size): boolean => height > width
/** As many as fit beside each other. */
const people = ({ size }: Scenery, count: number): number => (isPortrait(size) ? Math.ceil(count * 0.5) : count)

const farLights = (scenery: Scenery, opacity = 0.8): Layer =>
  bokeh(scenery, { count: 46, radius: [8, 26], between: [0.06, 0.6], opacity, blur: 5 })
const farCrowd = (scenery: Scenery, poses = all): Layer[] => [
  crowd(scenery, {
    count: people(scenery, 9),
    height: [0.46, 0.54],
    feet: 1.0,
    poses,
    blur: 9,
    light: 0.75,
    width: 1.2,
  }),
  haze(scenery, 0.3),
]
const nearLights = (scenery: Scenery): Layer => bokeh(scenery, { count: 8, radius: [50, 130], opacity: 0.16, blur: 3 })
const blurredLights = (scenery: Scenery): Layer[] => [
  bokeh(scenery, { count: 34, radius: [24, 62], between: [0.02, 0.72], opacity: 0.7, blur: 3 }),
  bokeh(scenery, { count: 12, radius: [60, 110], between: [0.05, 0.8], opacity: 0.3, blur: 4 }),
]
/** Somebody close to the camera, out of focus, at an edge of the picture. */
function foreground(scenery: Scenery): Layer {
  const { random } = scenery
  const middle = random.chance(0.5) ? random.between(-0.04, 0.06) : random.between(0.94, 1.04)
  const poses: Names = [random.pick(['watching', 'filming', 'cheeringWithGlass'])]
  return crowd(scenery, { count: 1, height: [1.7, 2], feet: 2.35, poses, blur: 24, light: 0.55, middle, width: 0.1 })
}

/** What a photo shows, from back to front. */
export const scenes = {
  dancers: (scenery) => [
    backdrop(scenery),
    farLights(scenery),
    stringLights(scenery, { chains: 3, blur: 3 }),
    ...farCrowd(scenery, dance),
    crowd(scenery, { count: people(scenery, 5), height: [0.84, 0.98], feet: 1.28, poses: dance, blur: 1.2 }),
    floorShade(scenery),
    confetti(scenery, { count: 60, length: [9, 20], blur: 1 }),
    confetti(scenery, { count: 9, length: [46, 90], blur: 11 }),
    foreground(scenery),
  ],
  crowd: (scenery) => [
    backdrop(scenery),
    beams(scenery),
    farLights(scenery, 0.5),
    ...farCrowd(scenery, dance),
    crowd(scenery, { count: people(scenery, 8), height: [0.62, 0.72], feet: 1.2, poses: dance, blur: 2 }),
    floorShade(scenery),
    crowd(scenery, {
      count: people(scenery, 5),
      height: [1.1, 1.3],
      feet: 1.95,
      poses: ['watching', 'filming', 'waving', 'cheering'],
      blur: 9,
      light: 0.6,
    }),
    confetti(scenery, { count: 110, length: [7, 15], blur: 1.2 }),
    nearLights(scenery),
  ],
  toast: (scenery) => [
    backdrop(scenery),
    ...blurredLights(scenery),
    crowd(scenery, { count: people(scenery, 4), height: [1, 1.14], feet: 1.42, poses: reception, blur: 12 }),
    floorShade(scenery),
    ...clinkingGlasses(scenery),
    nearLights(scenery),
  ],
  cake: (scenery) => [
    backdrop(scenery),
    ...blurredLights(scenery),
    crowd(scenery, {
      count: people(scenery, 4),
      height: [0.98, 1.1],
      feet: 1.36,
      poses: ['laughing', 'listening', 'embrace', 'whisper', 'toasting'],
      blur: 8,
    }),
    floorShade(scenery, 0.6),
    ...cake(scenery),
    nearLights(scenery),
  ],
  sparkler: (scenery) => [
    backdrop(scenery),
    ...blurredLights(scenery),
    crowd(scenery, {
      count: people(scenery, 5),
      height: [0.82, 0.96],
      feet: 1.2,
      poses: ['wavingSparkler', 'embrace', 'cheering', 'wavingSparkler', 'laughing'],
      blur: 8,
    }),
    floorShade(scenery),
    ...sparkler(scenery),
  ],
  balloons: (scenery) => [
    backdrop(scenery),
    farLights(scenery),
    balloons(scenery, { count: people(scenery, 8), depth: 0.2 }),
    crowd(scenery, {
      count: people(scenery, 5),
      height: [0.72, 0.84],
      feet: 1.2,
      poses: ['friends', 'selfie', 'cheering', 'laughing', 'embrace', 'toasting'],
      blur: 1.6,
    }),
    floorShade(scenery),
    balloons(scenery, { count: people(scenery, 5), depth: 0.9 }),
    nearLights(scenery),
  ],
  lanterns: (scenery) => [
    backdrop(scenery),
    lanterns(scenery, { count: 30, scale: 0.28, blur: 3 }),
    lanterns(scenery, { count: 8, scale: 0.75, blur: 1 }),
    crowd(scenery, { count: people(scenery, 8), height: [0.42, 0.5], feet: 1.12, poses: spectators, blur: 1.2 }),
    floorShade(scenery, 0.7),
    lanterns(scenery, { count: 2, scale: 1.7, blur: 9 }),
  ],
  disco: (scenery) => [
    backdrop(scenery),
    beams(scenery),
    farLights(scenery, 0.6),
    ...mirrorBall(scenery),
    ...farCrowd(scenery, dance),
    crowd(scenery, { count: people(scenery, 6), height: [0.68, 0.78], feet: 1.24, poses: dance, blur: 1.6 }),
    floorShade(scenery),
    nearLights(scenery),
    foreground(scenery),
  ],
  couple: (scenery) => [
    backdrop(scenery),
    ...blurredLights(scenery),
    stringLights(scenery, { chains: 4, blur: 4 }),
    crowd(scenery, {
      count: people(scenery, 6),
      height: [0.5, 0.58],
      feet: 1.06,
      poses: spectators,
      blur: 11,
      light: 0.8,
      width: 1.2,
    }),
    haze(scenery, 0.42),
    crowd(scenery, {
      count: 1,
      height: [0.98, 1.08],
      feet: scenery.random.between(1.24, 1.34),
      poses: couples,
      blur: 0.9,
      light: 1.15,
      middle: scenery.random.pick([0.36, 0.5, 0.62]),
      width: 0.1,
    }),
    floorShade(scenery, 0.62),
    confetti(scenery, { count: 40, length: [6, 14], blur: 1.5 }),
    nearLights(scenery),
  ],
  selfie: (scenery) => [
    backdrop(scenery),
    ...blurredLights(scenery),
    ...farCrowd(scenery),
    crowd(scenery, {
      count: 1,
      height: [1.3, 1.4],
      feet: 1.66,
      poses: ['selfie', 'friends', 'glasses'],
      blur: 0.9,
      light: 1.15,
      middle: 0.5,
      width: 0.1,
    }),
    floorShade(scenery, 0.62),
    confetti(scenery, { count: 26, length: [8, 18], blur: 1.5 }),
    nearLights(scenery),
  ],
  lights: (scenery) => [
    backdrop(scenery),
    ...blurredLights(scenery),
    stringLights(scenery, { chains: 6, blur: 2 }),
    nearLights(scenery),
  ],
  fireworks: (scenery) => [
    backdrop(scenery),
    fireworks(scenery),
    crowd(scenery, { count: people(scenery, 8), height: [0.42, 0.52], feet: 1.12, poses: spectators, blur: 1.2 }),
    floorShade(scenery, 0.7),
    bokeh(scenery, { count: 24, radius: [5, 14], between: [0.66, 0.86], opacity: 0.6, blur: 3 }),
  ],
} as const satisfies Record<string, (scenery: Scenery) => Layer[]>

export type SceneName = keyof typeof scenes
export const sceneNames = Object.keys(scenes) as SceneName[] // its own keys
