import type { settings as english } from '../en/settings.ts'

/** The switches of the settings page. */
export const settings: typeof english = {
  askForEmail: {
    label: 'E-mailadres vragen',
    hint: 'Gasten vullen een adres in en krijgen de foto per e-mail. Dit geldt ook voor codes die je al hebt afgedrukt.',
    saved: 'De e-mailinstelling is bijgewerkt',
    failed: 'De e-mailinstelling bijwerken is niet gelukt. Probeer het opnieuw.',
  },
  photos: 'Foto’s',
  watermark: {
    label: 'Watermerk',
    hint: 'Zet je logo op nieuwe foto’s. Daarvoor heb je een logo en een Pro-abonnement nodig.',
    saved: 'De watermerkinstelling is bijgewerkt',
    failed: 'De watermerkinstelling bijwerken is niet gelukt',
  },
  watermarkLayout: {
    size: 'Grootte',
    sizes: { small: 'Klein', medium: 'Middelgroot', large: 'Groot' },
    strength: 'Sterkte',
    strengths: { light: 'Licht', medium: 'Gemiddeld', strong: 'Sterk' },
    corner: 'Plaats',
    corners: {
      'top-left': 'Linksboven',
      'top-right': 'Rechtsboven',
      center: 'Midden',
      'bottom-left': 'Linksonder',
      'bottom-right': 'Rechtsonder',
    },
    saved: 'De watermerkinstelling is bijgewerkt',
    failed: 'De watermerkinstelling bijwerken is niet gelukt',
  },
  mail: 'E-mail',
  preferences: {
    saved: 'Je e-mailvoorkeuren zijn bijgewerkt',
    failed: 'Je e-mailvoorkeuren bijwerken is niet gelukt',
  },
  news: { label: 'Productnieuws', hint: 'Een korte e-mail als er iets nieuws klaar is. Een paar keer per jaar.' },
  offers: { label: 'Aanbiedingen', hint: 'Kortingen en seizoensacties.' },
  removals: {
    label: 'Voordat adressen worden verwijderd',
    hint: 'Een e-mail als binnen 14 dagen 20 of meer adressen van gasten worden verwijderd. Hooguit één per maand.',
  },
  service:
    'Noodzakelijke e-mails over je account, zoals voor een nieuw wachtwoord, krijg je altijd. Er staat geen reclame in.',
}
