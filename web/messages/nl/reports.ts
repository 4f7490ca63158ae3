import type { reports as english } from '../en/reports.ts'

/** Photos that guests reported, and the owner's decision; docs/security.md T41. */
export const reports: typeof english = {
  heading: 'Gemelde foto’s',
  lead: 'Een verborgen foto is voor gasten meteen weg: codes, pagina’s en links in e-mails werken niet meer. Jij ziet hem nog, en je kunt hem weer tonen.',
  reasons: {
    me: 'Ik sta erop en wil dat niet',
    child: 'Er staat een kind op',
    hurtful: 'De foto is kwetsend',
    illegal: 'De foto is misschien illegaal',
    other: 'Een andere reden',
  },
  badges: {
    open: 'Te beoordelen',
    hide: 'Verborgen voor gasten',
    keep: 'Zichtbaar',
    operator: 'Verborgen door de beheerder',
  },
  inGallery: 'in de galerij',
  label: (name) => `Meldingen over ${name}`,
  more: (count) => (count === 1 ? 'Nog 1 melding' : `Nog ${count} meldingen`),
  hide: 'Verbergen voor gasten',
  keep: 'Zichtbaar laten',
  show: 'Weer tonen',
  /** Of a photo that the operator of the site hid. */
  mistake: 'Denk je dat dit een vergissing is?',
  support: 'Contact opnemen',
  undo: 'Ongedaan maken',
  done: {
    hide: 'Verborgen. Gasten kunnen de foto niet meer openen.',
    keep: 'Gasten kunnen de foto openen. De meldingen zijn afgehandeld.',
    undo: 'Gasten kunnen de foto weer openen. Je moet hem nog beoordelen.',
    staysHidden: 'De foto blijft verborgen voor gasten.',
  },
  notice: {
    label: 'Gemelde foto’s',
    heading: 'Een gast heeft deze foto gemeld',
    more: (photos) => (photos === 1 ? 'en nog 1 foto' : `en nog ${photos} foto’s`),
    review: 'Bekijken',
    dismiss: 'Later',
  },
  sign: (photos) => (photos === 1 ? '1 foto gemeld' : `${photos} foto’s gemeld`),
  confirmShow: {
    title: 'Deze foto weer tonen?',
    question: 'Gasten kunnen hem dan weer openen via de codes, pagina’s en e-mails.',
    confirm: 'Weer tonen',
  },
  reviewed: (count) => (count === 1 ? '1 foto afgehandeld' : `${count} foto’s afgehandeld`),
  errors: {
    decide: 'Je beslissing opslaan is niet gelukt. Probeer het opnieuw.',
    undo: 'Ongedaan maken is niet gelukt. Probeer het opnieuw.',
  },
}
