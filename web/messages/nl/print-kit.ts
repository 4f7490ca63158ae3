import type { printKit as english } from '../en/print-kit.ts'

/** The page with table cards and posters. What is printed itself is in `../printed.ts`. */
export const printKit: typeof english = {
  title: 'Kaart voor op tafel en poster',
  heading: 'Kaart voor op tafel en poster',
  lead: 'Een foto met zijn code, voor op tafels en deuren.',
  formats: {
    label: 'Wat wil je afdrukken?',
    card: 'Kaart voor op tafel',
    cardSize: 'A6, 105 × 148 mm',
    four: 'Vier kaarten op één blad',
    fourSize: 'A4, met snijtekens',
    poster: 'Poster',
    posterSize: 'A4, 210 × 297 mm',
  },
  line: {
    label: 'Eigen tekst',
    example: 'Lotte & Bram, 14 november',
    count: (used, most) => `${used} van ${most} tekens`,
    missing: (characters) =>
      `Dit toestel kan “${characters}” niet weergeven, dus dat ontbreekt op je afdruk. Pas je tekst aan of druk af vanaf een ander toestel.`,
  },
  languages: { first: 'Taal van de gasten', second: 'Tweede taal', none: 'Geen' },
  logo: {
    label: 'Je logo',
    hint: 'Uit Instellingen, Huisstijl.',
    none: 'Je hebt nog geen logo.',
    add: 'Voeg er een toe in Instellingen',
    failed: 'Je logo kan niet worden geladen en staat daarom niet op de afdruk.',
  },
  wifi: {
    label: 'Wifi-code',
    hint: '“1. Verbind, 2. Scan”, voor zalen zonder mobiel bereik.',
    network: 'Naam van het netwerk',
    password: 'Wachtwoord',
    security: 'Beveiliging',
    securities: { WPA: 'WPA, WPA2 of WPA3', WEP: 'WEP (oud)', nopass: 'Geen wachtwoord' },
    hidden: 'Verborgen netwerk',
    nameMissing:
      'Dit toestel kan niet alle tekens van deze naam weergeven. Daarom staat de naam niet onder de code. De code zelf werkt wel.',
    privacy:
      'Naam en wachtwoord blijven op deze pagina. Ze worden afgedrukt, maar nooit naar ons gestuurd, en zijn weg als je de pagina verlaat.',
    incomplete: 'De wifi-code verschijnt zodra naam en wachtwoord volledig zijn.',
    errors: {
      networkMissing: 'Vul de naam van het netwerk in.',
      networkLong: 'Deze naam is te lang voor een wifinetwerk. Kijk hem na.',
      passwordMissing: 'Vul het wachtwoord in of kies “Geen wachtwoord”.',
      passwordWpa: 'Een WPA-wachtwoord heeft 8 tot 63 letters, cijfers en tekens zonder accenten. Kijk het na.',
      passwordWep: 'Een WEP-wachtwoord heeft 5 of 13 tekens, of 10 of 26 cijfers en letters van A tot F. Kijk het na.',
    },
  },
  actions: { print: 'Afdrukken', pdf: 'Pdf', making: 'De pdf wordt gemaakt', made: 'De pdf is klaar.' },
  hint: 'Druk af op 100%, zonder “aanpassen aan pagina”. Scan de code daarna zelf een keer.',
  preview: {
    label: 'Voorbeeld',
    alt: (what, photo) => `${what} met ${photo} en zijn QR-code`,
    one: (width, distance) => `Code van ${width} mm breed: te scannen vanaf ${distance} cm`,
    two: (width, distance) => `Codes van ${width} mm breed: te scannen vanaf ${distance} cm`,
    cut: 'Vier kaarten, snijd langs de tekens',
  },
  empty: 'Nog geen foto’s. Upload een foto om de code af te drukken.',
  upload: 'Foto’s uploaden',
  deleted: 'Deze foto bestaat niet meer.',
  processing: 'Deze foto wordt verwerkt. Zodra hij klaar is, kun je hem afdrukken.',
  failed: 'Deze foto kon niet worden verwerkt en heeft daarom geen code.',
  hidden: 'Deze foto is verborgen voor gasten: de code opent niets. Toon hem weer om hem af te drukken.',
  gallery: 'Galerij openen',
  open: 'Foto openen',
  errors: {
    photos: 'Je foto’s laden is niet gelukt. Probeer het opnieuw.',
    photo: 'Deze foto laden is niet gelukt. Probeer het opnieuw.',
    code: 'De code van deze foto laden is niet gelukt. Probeer het opnieuw.',
    pdf: 'De pdf maken is niet gelukt. Probeer het opnieuw, of kies Afdrukken en dan “Opslaan als pdf”.',
  },
}
