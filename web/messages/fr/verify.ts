import type { verify as english } from '../en/verify.ts'

/** The page for confirming an email address, opened from an email. */
export const verify: typeof english = {
  genericError: 'Une erreur s’est produite. Veuillez réessayer.',
  title: 'Confirmez votre adresse',
  heading: 'Est-ce bien votre adresse ?',
  lead: 'Un clic suffit pour la confirmer.',
  submit: 'Confirmer mon adresse',
  done: {
    heading: 'Votre adresse est confirmée',
    lead: 'L’adresse e-mail de votre compte :',
    settings: 'Ouvrir les paramètres',
    login: 'Se connecter',
  },
  expired: {
    heading: 'Ce lien ne fonctionne plus',
    lead: 'Il a expiré ou a déjà été utilisé. Vous pouvez en demander un nouveau dans les paramètres.',
    settings: 'Ouvrir les paramètres',
  },
}
