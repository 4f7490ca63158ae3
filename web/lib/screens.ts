import type { ComponentType } from 'react'

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
