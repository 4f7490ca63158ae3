import type { legal as english } from '../en/legal.ts'

/** Rond de teksten van het privacybeleid en de algemene voorwaarden, die in web/features/legal staan. */
export const legal: typeof english = {
  contents: 'Op deze pagina',
  short: 'In het kort',
  print: 'Afdrukken',
  current: (date) => `Van kracht sinds ${date}`,
  earlier: (from, until) => `Van kracht van ${from} tot ${until}`,
  announced: (date) => `Van kracht vanaf ${date}`,
  notes: {
    sample: 'Voorbeeldtekst, geen juridisch advies',
    sampleWhy: 'Het bedrijf achter deze site heeft zijn naam en adres nog niet ingevuld.',
    earlier:
      'Dit is een eerdere versie, die niet meer geldt. Namen, adressen en diensten erin zijn die van de huidige instellingen van deze site.',
    announced: 'Deze versie geldt nog niet.',
    unknown: 'Er is geen versie van deze datum. Dit is de versie die geldt.',
    next: (date) => `Vanaf ${date} geldt een nieuwe versie.`,
    toCurrent: 'De geldende versie tonen',
    toNext: 'De nieuwe versie tonen',
  },
  versions: 'Versies',
  first: 'Eerste versie',
  loading: 'De tekst wordt geladen',
  failed: 'De tekst laden is niet gelukt. Controleer je verbinding en probeer het opnieuw.',
}
