export interface CreateCardRequest {
  title: string;
  column: string;
}

export interface CreateCardResponse {
  card: string;
}

export interface CreateCardRequestHeaders {
  authorization: string;
}

export function createCardRequest(title: string, column: string): CreateCardRequest {
  return { title, column };
}

export function isCreateCardRequest(value: object): value is CreateCardRequest {
  return "title" in value && "column" in value;
}
