/** The sample pictures, which need no account; `web/pictures/samples.ts` has their files. */
export const sampleNames = ['table', 'topper', 'dance', 'balloons', 'rings', 'family'] as const
export type SampleName = (typeof sampleNames)[number]

/** The page to which a sample picture's QR code leads. */
export const samplePagePath = <Name extends string>(name: Name) => `/sample/${name}` as const
/** A sample picture's QR code: PNG; with `.svg` appended, SVG. */
export const sampleCodePath = <Name extends string>(name: Name) => `/qr/s/${name}` as const
