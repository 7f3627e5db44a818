export const fetched = () => fetch('http://localhost');
