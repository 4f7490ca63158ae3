import type { apiKeys as english } from '../en/api-keys.ts'

/** API keys in settings. */
export const apiKeys: typeof english = {
  name: 'Accès à l’API',
  lead: 'Pour les bornes, les appareils photo et votre propre site.',
  heading: 'Envoyez vos photos directement depuis la borne',
  partOf: (plan) => `Les clés d’API sont comprises dans ${plan}.`,
  waiting: (count, one) =>
    one
      ? 'Votre clé ne fonctionne pas pour le moment. Elle fonctionnera à nouveau avec une formule supérieure.'
      : `Vos ${count} clés ne fonctionnent pas pour le moment. Elles fonctionneront à nouveau avec une formule supérieure.`,
  action: 'Voir les formules',
  documentation: 'Documentation de l’API',
  list: 'Clés d’API',
  loadFailed: 'Vos clés d’API n’ont pas pu être chargées.',
  empty: 'Aucune clé pour le moment. Avec une clé, une borne ou un appareil photo envoie les photos tout seul.',
  createFirst: 'Créer ma première clé',
  create: 'Créer une clé',
  scope: 'Une clé peut lire votre compte et vos photos, et ajouter des photos. Rien d’autre.',
  createdOn: (date) => `créée le ${date}`,
  expiresOn: (date) => `Expire le ${date}`,
  expired: 'Expirée',
  neverUsed: 'Jamais utilisée',
  usedNow: 'Utilisée à l’instant',
  usedMinutesAgo: (minutes) => `Utilisée il y a ${minutes} min`,
  usedToday: (time) => `Utilisée aujourd’hui, ${time}`,
  notUsedSince: (date) => `Inutilisée depuis le ${date}`,
  deleteOne: (name) => `Supprimer la clé ${name}`,
  creation: {
    title: 'Créer une clé d’API',
    lead: 'Donnez-lui le nom de l’appareil qui l’utilisera : vous saurez plus tard laquelle supprimer.',
    label: 'Nom',
    placeholder: 'Par exemple : borne de la salle',
    expiry: 'Expiration',
    expiryNever: 'Jamais',
    expiryDays: (days) => `Dans ${days} jours`,
    expiryYear: 'Dans un an',
    submit: 'Créer la clé',
    created: 'Clé d’API créée',
    failed: 'La clé d’API n’a pas pu être créée',
  },
  newKey: {
    title: (name) => `La nouvelle clé ${name}`,
    copyNow: 'Copiez la clé maintenant. Elle ne s’affiche qu’une seule fois.',
    key: 'La clé',
    example: 'Pour envoyer une photo avec cette clé :',
    command: 'La commande',
    done: 'Terminé',
  },
  deletion: {
    title: 'Supprimer cette clé ?',
    question: (name) =>
      `Ce qui utilise « ${name} » cessera de fonctionner dans la seconde et aura besoin d’une nouvelle clé. Les photos déjà envoyées restent.`,
    keep: 'Garder la clé',
    confirm: 'Supprimer la clé',
    deleted: 'Clé d’API supprimée',
    failed: 'La clé d’API n’a pas pu être supprimée',
  },
}
