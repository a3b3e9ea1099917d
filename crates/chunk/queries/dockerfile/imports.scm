; What is copied is no import.
