import type { LogoGround } from '@keepsnap/contract/logo-grounds.ts'
import type { CSSProperties } from 'react'

// Colours of styles/tokens.css, because mail programs do not support custom properties.
const lightTheme = {
  paper: '#faf7f2',
  card: '#ffffff',
  line: '#e6dfd3',
  ink: '#1c1a17',
  ink2: '#575047',
  accent: '#c8401a',
}
const darkTheme = {
  paper: '#161412',
  card: '#1f1c19',
  line: '#37322c',
  ink: '#f4efe7',
  ink2: '#bfb5a8',
  accent: '#ff8a5c',
}
const onAccent = { light: '#ffffff', dark: '#241008' }
const fontFamily = "'Instrument Sans', 'Segoe UI', Helvetica, Arial, sans-serif"

/** The dark theme. Programs without support for it show the light one. */
export const darkModeCss = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background-color:${darkTheme.paper}!important}
.card{background-color:${darkTheme.card}!important;border-color:${darkTheme.line}!important}
.ink{color:${darkTheme.ink}!important}
.ink2{color:${darkTheme.ink2}!important}
.logo-ring{border-color:${darkTheme.ink}!important}
.logo-core,.action{background-color:${darkTheme.accent}!important}
.quote{border-color:${darkTheme.line}!important}
.on-action{color:${onAccent.dark}!important}
}
@media (max-width:520px){.card-content{padding:24px 20px!important}}`

const textStyle = (size: number, line: number): CSSProperties => ({
  margin: 0,
  fontFamily,
  fontSize: size,
  lineHeight: `${line}px`,
})

/** The ground of a logo, the same in both themes. Mail programs that darken emails on their own do not change a background image. */
const logoGround = (colour: string, line: string): CSSProperties => ({
  backgroundColor: colour,
  backgroundImage: `linear-gradient(${colour},${colour})`,
  border: `1px solid ${line}`,
  borderRadius: 8,
  padding: '10px 14px',
})

export const logoGroundStyles: Record<LogoGround, CSSProperties> = {
  none: {},
  paper: logoGround(lightTheme.card, lightTheme.line),
  ink: logoGround(lightTheme.ink, darkTheme.line),
}

/** Inline styles, because some programs remove style sheets. */
export const styles = {
  body: { margin: 0, padding: 0, backgroundColor: lightTheme.paper },
  paper: { backgroundColor: lightTheme.paper, padding: '32px 16px' },
  container: { width: '100%', maxWidth: 480 },
  preview: { display: 'none', maxHeight: 0, overflow: 'hidden', opacity: 0 },
  brand: { paddingBottom: 20 },
  logoRing: { width: 14, height: 14, padding: 2, border: `3px solid ${lightTheme.ink}`, borderRadius: 7 },
  logoCore: { width: 14, height: 14, backgroundColor: lightTheme.accent, borderRadius: 4, fontSize: 0, lineHeight: 0 },
  name: { ...textStyle(18, 24), paddingLeft: 10, color: lightTheme.ink, fontWeight: 700, letterSpacing: '-0.02em' },
  logo: { display: 'block', border: 0 },
  card: { backgroundColor: lightTheme.card, border: `1px solid ${lightTheme.line}`, borderRadius: 12 },
  cardContent: { padding: '32px 32px 28px' },
  heading: { ...textStyle(26, 32), color: lightTheme.ink, fontWeight: 700, letterSpacing: '-0.02em' },
  lead: { ...textStyle(16, 25), color: lightTheme.ink, paddingTop: 8 },
  sender: { ...textStyle(16, 24), color: lightTheme.ink2, paddingTop: 4, overflowWrap: 'anywhere' },
  quote: { margin: '16px 0 8px', padding: '4px 0 4px 16px', borderLeft: `3px solid ${lightTheme.line}` },
  quoteTitle: { ...textStyle(16, 25), color: lightTheme.ink, fontWeight: 700, overflowWrap: 'anywhere' },
  quoteText: {
    ...textStyle(16, 25),
    color: lightTheme.ink,
    paddingTop: 8,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  photo: { margin: 0, padding: '20px 0 8px', fontSize: 0, lineHeight: 0 },
  photoImage: {
    ...textStyle(14, 21),
    display: 'block',
    maxWidth: '100%',
    height: 'auto',
    border: 0,
    borderRadius: 8,
    color: lightTheme.ink2,
  },
  buttonCell: { padding: '24px 0 20px' },
  action: { backgroundColor: lightTheme.accent, borderRadius: 8, textAlign: 'center' },
  button: {
    ...textStyle(17, 22),
    display: 'block',
    padding: '15px 24px',
    color: onAccent.light,
    fontWeight: 700,
    textDecoration: 'none',
  },
  small: { ...textStyle(14, 21), color: lightTheme.ink2 },
  url: { ...textStyle(14, 21), color: lightTheme.ink2, wordBreak: 'break-all', paddingTop: 4 },
  footerLink: { color: lightTheme.ink2, textDecoration: 'underline' },
  footer: { ...textStyle(13, 20), color: lightTheme.ink2, padding: '20px 4px 0' },
} satisfies Record<string, CSSProperties>
