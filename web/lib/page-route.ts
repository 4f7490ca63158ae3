import type { ComponentType } from 'react'

export interface PageLayout {
  /** Class of the frame around the page. */
  className: string
  /** The big screen: dark in both themes, a compact navigation bar, no footer, toasts away from the QR code. */
  bigScreen?: boolean
}

/** One page of the app. */
export interface PageRoute {
  path: string
  Page: ComponentType
  /** `signed-in` requires a user. The `signed-out` pages redirect a signed-in user: home, or to where they came from. */
  access: 'anyone' | 'signed-in' | 'signed-out-home' | 'signed-out-return'
  layout: PageLayout
}
