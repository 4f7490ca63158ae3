import type { forgot as english } from '../en/forgot.ts'

/** Asking for a link to set a new password. */
export const forgot: typeof english = {
  genericError: 'Une erreur s’est produite. Veuillez réessayer.',
  toLogin: 'Retour à la connexion',
  title: 'Mot de passe oublié',
  heading: 'Mot de passe oublié ?',
  lead: 'Indiquez l’adresse de votre compte. Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
  submit: 'Envoyer le lien',
  emailNeeded: 'Veuillez indiquer une adresse e-mail, par exemple nom@example.com.',
  sent: {
    heading: 'Consultez vos e-mails',
    lead: 'S’il existe un compte pour cette adresse, nous avons envoyé un lien à :',
    hint: 'Le lien fonctionne une seule fois, pendant 30 minutes. Rien reçu ? Vérifiez vos courriers indésirables ou réessayez dans quelques minutes.',
    another: 'Utiliser une autre adresse',
  },
}
