/**
 * Every GraphQL document that the server sends to Shopify. A test validates each against the schema of `API_VERSION` and bounds its cost: a
 * query may cost 1,000 points, and a location costs two, for itself and its address.
 */

const LOCATION_FIELDS = `#graphql
  fragment LocationFields on Location {
    id
    name
    isActive
    isFulfillmentService
    fulfillsOnlineOrders
    updatedAt
    address { address1 address2 city province provinceCode countryCode zip phone }
  }
`;

export const LOCATIONS_PAGE_SIZE = 100;

export const LOCATIONS = `#graphql
  query OrigenLocations($first: Int!, $after: String) {
    locations(first: $first, after: $after, includeInactive: true, includeLegacy: true) {
      nodes { ...LocationFields }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${LOCATION_FIELDS}
`;

export const LOCATION = `#graphql
  query OrigenLocation($id: ID!) {
    location(id: $id) { ...LocationFields }
  }
  ${LOCATION_FIELDS}
`;

export const SHOP = `#graphql
  query OrigenShop {
    shop { ianaTimezone contactEmail }
  }
`;

export const GRANTED_SCOPES = `#graphql
  query OrigenGrantedScopes {
    currentAppInstallation { accessScopes { handle } }
  }
`;

export const TELL_FLOW = `#graphql
  mutation OrigenTellFlow($handle: String!, $payload: JSON!) {
    flowTriggerReceive(handle: $handle, payload: $payload) { userErrors { message } }
  }
`;
