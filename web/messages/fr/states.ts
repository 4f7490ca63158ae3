import type { states as english } from '../en/states.ts'

/** Shared by many pages: loading, errors, dialogs. */
export const states: typeof english = {
  loading: 'Chargement…',
  saving: 'Enregistrement…',
  profileFailed: 'Impossible de charger les données de votre profil.',
  tryAgain: 'Réessayer',
  cancel: 'Annuler',
  close: 'Fermer',
  showPassword: 'Afficher le mot de passe',
  hidePassword: 'Masquer le mot de passe',
  pageError: {
    heading: 'Une erreur s’est produite',
    lead: 'Cette page a cessé de fonctionner. Vos photos sont en sécurité. Recharger la page suffit en général.',
    reloads:
      'Cette page ne fonctionne plus. Vos photos sont en sécurité. La page se recharge d’elle-même dans un instant.',
    reload: 'Recharger la page',
  },
  tooManyRequests: (seconds) =>
    `Trop de demandes. Patientez ${seconds} ${seconds < 2 ? 'seconde' : 'secondes'}, puis réessayez.`,
  unreachable: {
    heading: 'Le serveur est injoignable',
    lead: 'Vérifiez la connexion de cet appareil. Votre session reste ouverte, et cette page réessaie d’elle-même.',
    retries: 'Vérifiez la connexion de cet appareil. Cette page réessaie d’elle-même.',
  },
}
