import type { CSSProperties } from 'react'

// Colours of styles/tokens.css, because mail programs do not support custom properties.
const light = { paper: '#faf7f2', card: '#ffffff', line: '#e6dfd3', ink: '#1c1a17', ink2: '#575047', accent: '#c8401a' }
const dark = { paper: '#161412', card: '#1f1c19', line: '#37322c', ink: '#f4efe7', ink2: '#bfb5a8', accent: '#ff8a5c' }
const onAccent = { light: '#ffffff', dark: '#241008' }
const family = "'Instrument Sans', 'Segoe UI', Helvetica, Arial, sans-serif"

/** The dark theme. Programs without support for it show the light one. */
export const darkModeCss = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background-color:${dark.paper}!important}
.card{background-color:${dark.card}!important;border-color:${dark.line}!important}
.ink{color:${dark.ink}!important}
.ink2{color:${dark.ink2}!important}
.mark-ring{border-color:${dark.ink}!important}
.mark-core,.action{background-color:${dark.accent}!important}
.on-action{color:${onAccent.dark}!important}
}
@media (max-width:520px){.card-in{padding:24px 20px!important}}`

const text = (size: number, line: number): CSSProperties => ({
  margin: 0,
  fontFamily: family,
  fontSize: size,
  lineHeight: `${line}px`,
})

/** Inline styles, because some programs remove style sheets. */
export const styles = {
  body: { margin: 0, padding: 0, backgroundColor: light.paper },
  paper: { backgroundColor: light.paper, padding: '32px 16px' },
  container: { width: '100%', maxWidth: 480 },
  preview: { display: 'none', maxHeight: 0, overflow: 'hidden', opacity: 0 },
  brand: { paddingBottom: 20 },
  markRing: { width: 14, height: 14, padding: 2, border: `3px solid ${light.ink}`, borderRadius: 7 },
  markCore: { width: 14, height: 14, backgroundColor: light.accent, borderRadius: 4, fontSize: 0, lineHeight: 0 },
  name: { ...text(18, 24), paddingLeft: 10, color: light.ink, fontWeight: 700, letterSpacing: '-0.02em' },
  logoCell: { backgroundColor: light.card, border: `1px solid ${light.line}`, borderRadius: 8, padding: '10px 14px' },
  logo: { display: 'block', border: 0 },
  card: { backgroundColor: light.card, border: `1px solid ${light.line}`, borderRadius: 12 },
  cardIn: { padding: '32px 32px 28px' },
  heading: { ...text(26, 32), color: light.ink, fontWeight: 700, letterSpacing: '-0.02em' },
  lead: { ...text(16, 25), color: light.ink, paddingTop: 8 },
  buttonCell: { padding: '24px 0 20px' },
  action: { backgroundColor: light.accent, borderRadius: 8, textAlign: 'center' },
  button: {
    ...text(17, 22),
    display: 'block',
    padding: '15px 24px',
    color: onAccent.light,
    fontWeight: 700,
    textDecoration: 'none',
  },
  small: { ...text(14, 21), color: light.ink2 },
  url: { ...text(14, 21), color: light.ink2, wordBreak: 'break-all', paddingTop: 4 },
  footerLink: { color: light.ink2, textDecoration: 'underline' },
  footer: { ...text(13, 20), color: light.ink2, padding: '20px 4px 0' },
} satisfies Record<string, CSSProperties>
