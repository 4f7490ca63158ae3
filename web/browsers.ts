import type { Declaration } from 'postcss'
import type { CSSOptions } from 'vite'

/** The oldest browsers that run the app, in the names of Vite; `unsupported` in messages/en/no-script.ts tells them to users. */
export const appBrowsers = ['chrome108', 'safari16.4', 'firefox115']

/** The oldest browser that runs the script of guest pages, and shows them as they are meant. */
export const guestBrowsers = ['chrome64', 'safari12', 'firefox68']

/** Style sheets of the app are written for older browsers than its scripts: `max-width` instead of a range, `vh` before `dvh`. */
export const appStyleBrowsers = ['chrome88', 'safari14', 'firefox82']

/** Writes `vh` before each `dvh`, which browsers know since 2022. */
export const styleOptions: CSSOptions = {
  postcss: {
    plugins: [
      {
        postcssPlugin: 'vh-before-dvh',
        Once(styles) {
          const found: Declaration[] = []
          styles.walkDecls((declaration) => void (/\ddvh\b/.test(declaration.value) && found.push(declaration)))
          for (const declaration of found) {
            const { parent, variable } = declaration
            const value = declaration.value.replaceAll(/(?<=\d)dvh\b/g, 'vh')
            if (!variable) declaration.cloneBefore({ value })
            else if (parent) {
              // The last value of a custom property counts, whether its browser knows the unit or not.
              const inDvh = parent.clone({ nodes: [declaration.clone()] })
              parent.after({ name: 'supports', params: '(height: 1dvh)', nodes: [inDvh] })
              declaration.value = value
            }
          }
        },
      },
    ],
  },
}
