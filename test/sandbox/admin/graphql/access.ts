// Which scope each field needs, and Shopify's answer when it is missing.
import { getNamedType, GraphQLError } from "graphql";
import type { GraphQLResolveInfo } from "graphql";

const FULFILLMENT_ORDER_SCOPES = [
  "read_assigned_fulfillment_orders",
  "read_merchant_managed_fulfillment_orders",
  "read_third_party_fulfillment_orders",
  "read_marketplace_fulfillment_orders",
];

/** By the type that a field returns: any one of the scopes opens it. */
const SCOPES_BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  Location: ["read_locations"],
  LocationConnection: ["read_locations"],
  Order: ["read_orders"],
  OrderConnection: ["read_orders"],
  FulfillmentOrder: FULFILLMENT_ORDER_SCOPES,
  FulfillmentOrderConnection: FULFILLMENT_ORDER_SCOPES,
  Customer: ["read_customers"],
  CustomerConnection: ["read_customers"],
};

/** By field, where the type says nothing: counts, and an order's customer data. */
const SCOPES_BY_FIELD: Readonly<Record<string, readonly string[]>> = {
  "QueryRoot.locationsCount": ["read_locations"],
  "QueryRoot.ordersCount": ["read_orders"],
  "Order.email": ["read_customers"],
  "Order.phone": ["read_customers"],
  "Order.shippingAddress": ["read_customers"],
  "Order.billingAddress": ["read_customers"],
  "Order.displayAddress": ["read_customers"],
  "FulfillmentOrder.destination": ["read_customers"],
};

const PROTECTED_TYPES = new Set(["Order", "OrderConnection"]);

export interface Access {
  scopes: readonly string[];
  protectedDataApproved: boolean;
}

/** @throws GraphQLError ACCESS_DENIED, in Shopify's words, when the app may not read the field. */
export function requireAccess(access: Access, info: GraphQLResolveInfo): void {
  const type = getNamedType(info.returnType).name;
  const field = `${info.parentType.name}.${info.fieldName}`;
  const needed =
    info.parentType.name === "Mutation"
      ? mutationScopes(info.fieldName)
      : (SCOPES_BY_FIELD[field] ?? SCOPES_BY_TYPE[type]);
  if (needed && !needed.some((scope) => access.scopes.includes(scope))) {
    const list = needed.map((scope) => `\`${scope}\``).join(", ");
    const required = needed.length > 1 ? `One of the following access scopes: ${list}.` : `${list} access scope.`;
    throw denied(`Access denied for ${info.fieldName} field. Required access: ${required}`, required);
  }
  if (PROTECTED_TYPES.has(type) && !access.protectedDataApproved) {
    const page = "https://shopify.dev/docs/apps/launch/protected-customer-data";
    throw denied(
      `This app is not approved to access the ${type.replace("Connection", "")} object. See ${page} for more details.`,
    );
  }
}

/** The app may write nothing but its own scopes, and begin workflows: every other mutation asks for a scope that no toml of it declares. */
function mutationScopes(fieldName: string): readonly string[] | undefined {
  if (fieldName === "appRevokeAccessScopes" || fieldName === "flowTriggerReceive") return undefined;
  return [fieldName.startsWith("location") ? "write_locations" : "a scope the sandbox does not know"];
}

function denied(message: string, requiredAccess?: string): GraphQLError {
  const documentation = "https://shopify.dev/api/usage/access-scopes";
  return new GraphQLError(message, {
    extensions: { code: "ACCESS_DENIED", documentation, ...(requiredAccess && { requiredAccess }) },
  });
}
