import type { notFound as english } from '../en/not-found.ts'

/** The page for an unknown path. */
export const notFound: typeof english = {
  title: 'Page introuvable',
  heading: 'Cette page n’est pas dans l’album',
  lead: 'L’adresse contient peut-être une erreur, ou la page a été déplacée.',
  print: 'Aucune photo prise ici',
  goBack: 'Page précédente',
  goHome: 'Accueil',
  stillLost: 'Besoin d’aide ?',
  contactSupport: 'Contactez-nous',
}
