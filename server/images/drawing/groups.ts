import type { Pose } from './figures.ts'
import { upright } from './poses.ts'

/** Somebody in a group. */
export interface Member {
  pose: Pose
  /** Beside the middle of the group, in units of a figure. */
  x: number
  /** Compared with the others. */
  height?: number
  isInDress?: boolean
}

const side: Pose = { ...upright, isSideways: true, shoulders: 0 }

/** People who touch each other, from back to front. */
export const groups = {
  slowDance: [
    {
      x: -7.5,
      height: 1.03,
      isInDress: false,
      pose: { ...side, chest: 2, facing: 'right', tilt: 9, leftHand: [14, -57], rightHand: [20, -55] },
    },
    {
      x: 7.5,
      height: 0.95,
      isInDress: true,
      pose: { ...side, hips: 0, chest: -2, facing: 'left', tilt: -5, leftHand: [-19, -84], rightHand: [-16, -79] },
    },
  ],
  kiss: [
    {
      x: -7,
      height: 1.04,
      isInDress: false,
      pose: { ...side, chest: 3, hips: -1, facing: 'right', tilt: 16, leftHand: [13, -58], rightHand: [19, -56] },
    },
    {
      x: 7.6,
      height: 0.96,
      isInDress: true,
      pose: { ...side, hips: 2, chest: -3, facing: 'left', tilt: 6, leftHand: [-20, -85], rightHand: [-17, -78] },
    },
  ],
  embrace: [
    {
      x: -7.5,
      height: 1.04,
      isInDress: false,
      pose: { ...upright, chest: 1, shoulders: 3, tilt: 13, leftHand: [-13, -50], rightHand: [22, -75] },
    },
    {
      x: 7,
      height: 0.95,
      isInDress: true,
      pose: { ...upright, hips: 0, chest: -3, shoulders: -4, tilt: -17, leftHand: [-10, -68], rightHand: [12, -52] },
    },
  ],
  twirl: [
    {
      x: -12,
      height: 1.03,
      isInDress: false,
      pose: {
        ...upright,
        chest: 2,
        shoulders: -8,
        facing: 'right',
        tilt: -3,
        leftHand: [-20, -58],
        rightHand: [17, -106],
        leftFoot: [-9, 0],
      },
    },
    {
      x: 13,
      height: 0.95,
      isInDress: true,
      pose: {
        ...upright,
        hips: -3,
        chest: 1,
        shoulders: 6,
        facing: 'left',
        tilt: 8,
        leftHand: [-8, -114],
        rightHand: [25, -74],
        leftFoot: [-7, 0],
        rightFoot: [6, -3],
      },
    },
  ],
  glasses: [
    {
      x: -16,
      isInDress: false,
      height: 1.03,
      pose: {
        ...side,
        chest: 2,
        facing: 'right',
        tilt: 2,
        leftHand: [-4, -52],
        rightHand: [13, -82],
        rightHolds: 'flute',
      },
    },
    {
      x: 16,
      isInDress: true,
      height: 0.96,
      pose: {
        ...side,
        chest: -2,
        facing: 'left',
        tilt: -3,
        rightHand: [5, -55],
        leftHand: [-13.5, -85],
        leftHolds: 'flute',
      },
    },
  ],
  selfie: [
    {
      x: -13,
      height: 1,
      pose: { ...upright, chest: 3, shoulders: 6, tilt: 15, leftHand: [-14, -50], rightHand: [17, -76] },
    },
    {
      x: 12,
      height: 1.02,
      pose: { ...upright, chest: -3, shoulders: -6, tilt: -13, leftHand: [-18, -76], rightHand: [16, -100] },
    },
    {
      x: 0,
      height: 0.95,
      isInDress: true,
      pose: { ...upright, tilt: -5, leftHand: [-25, -96], leftHolds: 'phone', rightHand: [10, -60] },
    },
  ],
  friends: [
    {
      x: -15,
      height: 1.01,
      pose: {
        ...upright,
        chest: 2,
        shoulders: 6,
        tilt: 10,
        leftHand: [-19, -102],
        rightHand: [20, -80],
        leftHolds: 'cocktail',
      },
    },
    {
      x: 15,
      height: 0.98,
      pose: { ...upright, chest: -2, shoulders: -6, tilt: -12, leftHand: [-19, -80], rightHand: [18, -104] },
    },
    { x: 0, height: 0.97, pose: { ...upright, hips: 2, tilt: 5, leftHand: [-17, -70], rightHand: [16, -69] } },
  ],
  whisper: [
    {
      x: -6.5,
      isInDress: true,
      pose: {
        ...upright,
        hips: -2,
        chest: 2,
        shoulders: 5,
        facing: 'right',
        tilt: 10,
        leftHand: [-11, -58],
        leftHolds: 'flute',
        rightHand: [4, -87],
      },
    },
    {
      x: 8,
      pose: { ...upright, chest: -1, tilt: -9, leftHand: [-12, -52], rightHand: [9, -63], rightHolds: 'cocktail' },
    },
  ],
} satisfies Record<string, readonly Member[]>
export type GroupName = keyof typeof groups

/** How much of a row a group takes, compared with one person. */
export const widthOf = (name: GroupName): number =>
  groups[name].length === 3 ? 2.1 : name === 'twirl' || name === 'glasses' ? 2 : 1.5
