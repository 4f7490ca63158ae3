import { Literal, Object, Union, type Static } from 'typebox'

/** What is drawn behind a logo: nothing, the colour of paper, or that of ink. */
export const LogoGround = Union([Literal('none'), Literal('paper'), Literal('ink')])
export type LogoGround = Static<typeof LogoGround>
/** What is drawn behind a logo on pages in the light and in the dark theme, and on the big screen. */
export const LogoGrounds = Object({ light: LogoGround, dark: LogoGround, stage: LogoGround })
export type LogoGrounds = Static<typeof LogoGrounds>
