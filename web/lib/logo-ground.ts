import type { LogoGrounds } from '@keepsnap/contract/logo-grounds.ts'

/** The attributes with which styles/controls.css draws the ground of a logo in each theme. */
export const logoGround = (grounds: Pick<LogoGrounds, 'light' | 'dark'> | null | undefined) => ({
  'data-ground': grounds?.light ?? 'none',
  'data-ground-dark': grounds?.dark ?? 'none',
})
