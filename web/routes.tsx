import { lazy, type ComponentType } from 'react'
import { paths } from './lib/paths.ts'

/** How the frame dresses one page. */
export interface Look {
  /** Class of the whole frame while this page is shown. */
  className: string
  /** The stage: dark in every theme, its bar gives way to the photo, no footer, toasts away from the code. */
  stage?: boolean
}

/** One page of the app as data. */
export interface Screen {
  path: string
  Page: ComponentType
  /** `signed-in` waits for a person; the `signed-out` ones send a signed-in person on: home, or back to where they came from. */
  access: 'anyone' | 'signed-in' | 'signed-out-home' | 'signed-out-back'
  look: Look
}

const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }))

/** Every page there is; links of the frame lead to these and to nothing else. */
export const screens: readonly Screen[] = [
  {
    path: paths.home,
    Page: page(async () => (await import('./pages/HomePage.tsx')).HomePage),
    access: 'anyone',
    look: { className: 'home' },
  },
  {
    path: paths.login,
    Page: page(async () => (await import('./pages/LoginPage.tsx')).LoginPage),
    access: 'signed-out-back',
    look: { className: 'auth-page' },
  },
  {
    path: paths.register,
    Page: page(async () => (await import('./pages/RegisterPage.tsx')).RegisterPage),
    access: 'signed-out-home',
    look: { className: 'auth-page' },
  },
]
