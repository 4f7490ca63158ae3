type Five = readonly [string, string, string, string, string]

/** The colours of one evening. */
export interface Palette {
  /** Dark colours of the background: above, and near the ground. */
  sky: string
  ground: string
  /** Bright colours of lamps, from the most frequent one. */
  lights: Five
  /** The light around somebody in front of a lamp. */
  rim: string
  /** Somebody who is not lit. */
  shadow: string
  /** Colours of balloons and confetti. */
  party: Five
}

export const palettes = {
  amber: {
    sky: '#1c0f10',
    ground: '#5d2b14',
    lights: ['#ffd08a', '#ffb45e', '#ff9a52', '#ffe3b3', '#ff7d5f'],
    rim: '#ffb870',
    shadow: '#0e0708',
    party: ['#ffd58f', '#f2785c', '#fff1dc', '#d94f4a', '#f6b65f'],
  },
  violet: {
    sky: '#0b1028',
    ground: '#3c2050',
    lights: ['#ff86d6', '#8fb6ff', '#b994ff', '#7de6ff', '#ffd08a'],
    rim: '#ff96dc',
    shadow: '#070612',
    party: ['#ff7ac6', '#8fa8ff', '#ffe08a', '#7fe3f2', '#ffffff'],
  },
  garden: {
    sky: '#0e1a16',
    ground: '#47391a',
    lights: ['#ffe6a1', '#ffd166', '#fff3d6', '#f4b860', '#d8e08a'],
    rim: '#ffe09a',
    shadow: '#080b08',
    party: ['#fff0c9', '#e9c46a', '#cfe0b0', '#f4a98a', '#ffffff'],
  },
  dusk: {
    sky: '#15203f',
    ground: '#c0603a',
    lights: ['#ffcf9a', '#ffab73', '#ffe5c4', '#ff8f6b', '#f7b7a3'],
    rim: '#ffc391',
    shadow: '#0d0e1a',
    party: ['#ffd9b8', '#ff9d7a', '#ffffff', '#e9738a', '#ffe69a'],
  },
  emerald: {
    sky: '#04151b',
    ground: '#0f4a47',
    lights: ['#7ff0d0', '#ffe2a0', '#5fd0ff', '#b7ffe0', '#ffbf80'],
    rim: '#9cf5dd',
    shadow: '#030a0d',
    party: ['#8ff0d6', '#ffe7ad', '#ff9d8a', '#ffffff', '#79c8ff'],
  },
} as const satisfies Record<string, Palette>

export type PaletteName = keyof typeof palettes
export const paletteNames = Object.keys(palettes) as PaletteName[] // its own keys
