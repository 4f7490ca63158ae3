import type { reset as english } from '../en/reset.ts'

/** The page for setting a new password, opened from an email. */
export const reset: typeof english = {
  genericError: 'Une erreur s’est produite. Veuillez réessayer.',
  toLogin: 'Retour à la connexion',
  reset: {
    title: 'Choisissez un nouveau mot de passe',
    heading: 'Choisissez un nouveau mot de passe',
    lead: 'En le changeant, vous vous déconnectez de tous vos appareils.',
    password: 'Nouveau mot de passe',
    confirm: 'Confirmez le mot de passe',
    submit: 'Enregistrer le mot de passe',
    done: 'Votre mot de passe a été modifié. Vous pouvez vous connecter.',
    invalid: {
      heading: 'Lien non valide',
      missing: 'Le lien est incomplet ou n’est plus valide. Veuillez en demander un nouveau.',
      request: 'Demander un nouveau lien',
    },
  },
}
