import type { notFound as english } from '../en/not-found.ts'

/** The page for an unknown path. */
export const notFound: typeof english = {
  title: 'Pagina niet gevonden',
  heading: 'Deze pagina zit niet in het album',
  lead: 'Misschien zit er een tikfout in het adres, of is de pagina verhuisd.',
  print: 'Hier is geen foto gemaakt',
  goBack: 'Terug',
  goHome: 'Naar de startpagina',
  stillLost: 'Kom je er niet uit?',
  contactSupport: 'Neem contact op',
}
