import type { Layer, Size } from './canvas.ts'
import { farPeople, silhouettes } from './crowds.ts'
import { backdrop, beams, bokeh, confetti, fireworks, stringLights, type Scenery } from './lights.ts'
import { balloons, cake, clinkingGlasses, lanterns, mirrorBall, sparkler } from './objects.ts'
import type { PoseName } from './figures.ts'

const party: readonly PoseName[] = ['dancing', 'cheering', 'swinging', 'cheering', 'dancing', 'filming']
const reception: readonly PoseName[] = ['standing', 'toasting', 'holdingLeft', 'holdingRight', 'standing']
const all: readonly PoseName[] = [...party, ...reception]

const isPortrait = ({ width, height }: Size): boolean => height > width
/** As many as fit beside each other. */
const people = ({ size }: Scenery, count: number): number => (isPortrait(size) ? Math.ceil(count * 0.55) : count)

const farLights = (scenery: Scenery, opacity = 0.8): Layer =>
  bokeh(scenery, { count: 50, radius: [8, 26], between: [0.08, 0.62], opacity, blur: 5 })
const farCrowd = (scenery: Scenery, poses = all): Layer =>
  farPeople(scenery, { count: people(scenery, 13), height: [0.34, 0.43], feet: 0.9, poses, blur: 9 })
const nearLights = (scenery: Scenery): Layer => bokeh(scenery, { count: 10, radius: [50, 120], opacity: 0.15, blur: 3 })
const blurredLights = (scenery: Scenery): Layer[] => [
  bokeh(scenery, { count: 34, radius: [24, 62], between: [0.02, 0.75], opacity: 0.7, blur: 3 }),
  bokeh(scenery, { count: 12, radius: [60, 110], between: [0.05, 0.8], opacity: 0.3, blur: 4 }),
]

/** What a photo shows, from back to front. */
export const scenes = {
  dancers: (scenery) => [
    backdrop(scenery),
    farLights(scenery),
    farCrowd(scenery, party),
    stringLights(scenery, { chains: 3, blur: 3 }),
    ...silhouettes(scenery, { count: people(scenery, 6), height: [0.6, 0.7], feet: 1.05, poses: party, blur: 1.6 }),
    confetti(scenery, { count: 60, length: [9, 20], blur: 1 }),
    confetti(scenery, { count: 9, length: [46, 90], blur: 11 }),
    nearLights(scenery),
  ],
  crowd: (scenery) => [
    backdrop(scenery),
    beams(scenery),
    farLights(scenery, 0.5),
    farCrowd(scenery, party),
    ...silhouettes(scenery, { count: people(scenery, 9), height: [0.5, 0.58], feet: 1.16, poses: party, blur: 2.2 }),
    confetti(scenery, { count: 120, length: [7, 15], blur: 1.2 }),
    nearLights(scenery),
  ],
  toast: (scenery) => [
    backdrop(scenery),
    ...blurredLights(scenery),
    ...silhouettes(scenery, { count: people(scenery, 4), height: [0.78, 0.9], feet: 1.22, poses: reception, blur: 13 }),
    ...clinkingGlasses(scenery),
    nearLights(scenery),
  ],
  cake: (scenery) => [
    backdrop(scenery),
    ...blurredLights(scenery),
    ...silhouettes(scenery, { count: people(scenery, 5), height: [0.74, 0.84], feet: 1.12, poses: reception, blur: 9 }),
    ...cake(scenery),
    nearLights(scenery),
  ],
  sparkler: (scenery) => [
    backdrop(scenery),
    ...blurredLights(scenery),
    ...silhouettes(scenery, { count: people(scenery, 4), height: [0.66, 0.78], feet: 1.1, poses: all, blur: 10 }),
    ...sparkler(scenery),
  ],
  balloons: (scenery) => [
    backdrop(scenery),
    farLights(scenery),
    balloons(scenery, { count: people(scenery, 8), depth: 0.2 }),
    ...silhouettes(scenery, { count: people(scenery, 7), height: [0.5, 0.6], feet: 1.08, poses: all, blur: 3 }),
    balloons(scenery, { count: people(scenery, 6), depth: 0.9 }),
    nearLights(scenery),
  ],
  lanterns: (scenery) => [
    backdrop(scenery),
    lanterns(scenery, { count: 30, scale: 0.28, blur: 3 }),
    lanterns(scenery, { count: 8, scale: 0.75, blur: 1 }),
    ...silhouettes(scenery, { count: people(scenery, 10), height: [0.28, 0.36], feet: 1.04, poses: all, blur: 1.4 }),
    lanterns(scenery, { count: 2, scale: 1.7, blur: 9 }),
  ],
  disco: (scenery) => [
    backdrop(scenery),
    beams(scenery),
    farLights(scenery, 0.6),
    ...mirrorBall(scenery),
    ...silhouettes(scenery, { count: people(scenery, 8), height: [0.46, 0.56], feet: 1.1, poses: party, blur: 2 }),
    nearLights(scenery),
  ],
  couple: (scenery) => [
    backdrop(scenery),
    ...blurredLights(scenery),
    stringLights(scenery, { chains: 4, blur: 4 }),
    ...silhouettes(scenery, {
      count: 2,
      height: [0.66, 0.72],
      feet: 1.0,
      poses: ['dancing', 'holdingRight', 'swinging'],
      blur: 1.5,
    }),
    confetti(scenery, { count: 40, length: [6, 14], blur: 1.5 }),
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
    ...silhouettes(scenery, {
      count: people(scenery, 9),
      height: [0.3, 0.38],
      feet: 1.03,
      poses: ['filming', 'cheering', 'standing', 'holdingLeft'],
      blur: 1.4,
    }),
    bokeh(scenery, { count: 24, radius: [5, 14], between: [0.66, 0.86], opacity: 0.6, blur: 3 }),
  ],
} as const satisfies Record<string, (scenery: Scenery) => Layer[]>

export type SceneName = keyof typeof scenes
export const sceneNames = Object.keys(scenes) as SceneName[] // its own keys
